"""How many small faults put into the rooms are noticed by the tests: ``make mutants``.

``changes`` knows the small faults, ``reach`` which test reaches which statement, ``trial`` puts one fault
after the other into a process that has collected every test, and runs those that reach it: the tests of its
folder, then the others, the fastest first.
"""
