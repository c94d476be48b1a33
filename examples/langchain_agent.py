"""A LangChain agent with the private documents of one person: what it finds has ids, scores and sources.

python examples/langchain_agent.py "who services the boiler?"
"""

from __future__ import annotations

import os
import sys

from langchain.agents import create_agent
from langchain_core.tools import create_retriever_tool
from langchain_openai import ChatOpenAI

import winnow
from winnow.integrations.langchain import WinnowRetriever

NOTES = [
    {"id": "boiler", "title": "Boiler", "text": "Hansen services the boiler every May, phone 5550117."},
    {"id": "lease", "title": "Lease", "text": "The lease of the flat ends on 31 August 2027."},
]


def main(question: str, user: str = "ida") -> str:
    """What the agent answers."""
    engine = winnow.open("example:cottage")
    engine.sync.add_documents(NOTES, user=user)
    notes = create_retriever_tool(
        WinnowRetriever(engine=engine, user=user, k=5),
        "search_notes",
        "Search the notes, messages and facts of the person who asks.",
    )
    agent = create_agent(ChatOpenAI(model=os.environ.get("MODEL", "my-model")), [notes])
    came = agent.invoke({"messages": [{"role": "user", "content": question}]})
    return str(came["messages"][-1].content)


if __name__ == "__main__":
    print(main(" ".join(sys.argv[1:])))
