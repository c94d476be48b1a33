#!/bin/sh
# Looks up the locked packages in a database of known vulnerabilities. `--strict`: one that cannot be looked up is no package without faults.
# usage: audit.sh PIP_AUDIT LOCK
"$1" --requirement "$2" --require-hashes --disable-pip --strict --progress-spinner off && exit 0
echo "NOT AUDITED, or something was found: see above. Known vulnerabilities are looked up on pypi.org; without a network, or through an index" >&2
echo "that has no advisories, nothing can be said. Fixed versions are taken over with 'make lock'." >&2
exit 1
