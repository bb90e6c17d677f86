# SPDX-License-Identifier: Apache-2.0
"""Memory: one object with every verb, each handed to the module that does it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from smemkit import _showing as showing
from smemkit import convert, tables
from smemkit._verbs import known_session, only_session, reads, told_by, writes
from smemkit.answers import Chain, Subgraph, Trace
from smemkit.cypher.columns import columns
from smemkit.cypher.engine import Engine
from smemkit.cypher.named import refuse_unknown
from smemkit.cypher.questions import question
from smemkit.errors import BadRequest
from smemkit.graph import Graph
from smemkit.reading import chains, expansion, listing, provenance, search
from smemkit.reading import subgraph as subgraphs
from smemkit.reading import trace as traces
from smemkit.report import audit as audits
from smemkit.report import cuts
from smemkit.stores import Compactable, Located, Queryable, Store
from smemkit.stores.opening import Target, open_store
from smemkit.summary import Summary
from smemkit.writing import (
    artifacts,
    calls,
    cleanup,
    declare,
    executions,
    observe,
)
from smemkit.writing import reports as statements

if TYPE_CHECKING:
    import pandas as pd

    from smemkit.report.verdicts import Audit
    from smemkit.views.figure.figure import Figure
    from smemkit.views.show import View


class Memory:
    """A science memory: what `smemkit.open` returns.

    It displays itself, is a context manager, and offers the verbs of the seed.
    Where a verb takes a ``session_id``, it may be left out if the memory holds
    one session, and in every read that can answer over all of them.

    Parameters
    ----------
    store : Store
        Where the memory lives.

    Examples
    --------
    >>> import smemkit
    >>> mem = smemkit.open(":memory:")
    >>> _ = mem.observe_session_first_message("s1", core_objective="Do bills grow?")
    >>> print(mem)
    science memory :memory:
    1 session, 1 node, 0 edges, no problems
    ...
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._engine: Engine | None = None

    # -- the store -------------------------------------------------------------

    @property
    def store(self) -> Store:
        """The store behind the memory."""
        return self._store

    @property
    def location(self) -> str:
        """Where the memory is."""
        return self._store.location

    @contextmanager
    def reading(self, session_id: str | None = None) -> Iterator[Graph]:
        """Hold the store still and give its Graph, for questions of your own.

        Examples
        --------
        >>> import smemkit
        >>> with smemkit.open(":memory:").reading() as graph:
        ...     len(graph)
        0
        """
        with self._store.lock():
            yield self._store.graph(session_id)

    def refresh(self) -> bool:
        """Take in what other programs wrote; True if there was anything."""
        return self._store.refresh()

    def revision(self) -> object:
        """Return a value that differs after any change, also by another program."""
        return self._store.revision()

    def compact(self) -> None:
        """Rewrite the files of a folder with live records only, to save room.

        What the memory holds stays as it is. Superseded states, removed records
        and edges without an end go; lines that cannot be read are kept in
        ``nodes.jsonl.damaged`` and ``edges.jsonl.damaged``. Never done unasked.

        Raises
        ------
        BadRequest
            The memory has no files of its own.
        StoreNotFound
            There is no folder yet.
        StoreBusy, StoreNotWritable, WriteFailed
            The old files are still in place.

        Examples
        --------
        >>> import smemkit, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     mem = smemkit.open(folder)
        ...     for status in ("running", "succeeded"):
        ...         _ = mem.observe_execution("e1", session_id="s1", status=status)
        ...     before = mem.store.records
        ...     mem.compact()
        ...     before, mem.store.records
        (5, 3)
        """
        if not isinstance(self._store, Compactable):
            raise BadRequest(
                f"compact {self.location!r}",
                found="a memory without files of its own",
                do="compact the folder of a memory",
            )
        self._store.compact()

    def close(self) -> None:
        """Let go of the store; the memory refuses everything afterwards."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        with self.reading() as graph:
            return len(graph)

    def summary(self) -> Summary:
        """Return what the memory holds, in counts; it is what the memory displays."""
        with self.reading() as graph:
            missing = isinstance(self._store, Located) and self._store.missing
            problems = self._store.problems()
            return Summary.of(graph, self.location, problems, missing=missing)

    def __repr__(self) -> str:
        return f"<Memory {self.location}>"

    def __str__(self) -> str:
        return str(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()

    # -- writing ---------------------------------------------------------------

    observe_session_first_message = writes(observe.observe_session_first_message)
    observe_upload_file = writes(observe.observe_upload_file)
    observe_execution = writes(executions.observe_execution)
    observe_tool_call = writes(calls.observe_tool_call)
    observe_mcp_search = writes(calls.observe_mcp_search)
    observe_subagent = writes(observe.observe_subagent)
    declare_evidence = writes(declare.declare_evidence)
    declare_claim = writes(declare.declare_claim)
    declare_artifact = writes(artifacts.declare_artifact)
    link_claims_to_report = writes(statements.link_claims_to_report)
    cleanup_session = writes(cleanup.cleanup_session)
    cleanup_project = writes(cleanup.cleanup_project)

    # -- reading ---------------------------------------------------------------

    subgraph = reads(subgraphs.subgraph, needs_session=True)
    match = reads(search.match)
    by_node_type = reads(listing.by_node_type)
    by_edge_type = reads(listing.by_edge_type)
    node = reads(listing.node)
    chain = reads(chains.chain)
    chain_exists = reads(chains.chain_exists)
    scope_expansion = reads(expansion.scope_expansion, needs_session=True)
    group_expansion = reads(expansion.group_expansion, needs_session=True)
    trace_provenance = reads(traces.trace_provenance, admit=cuts.admitted_trace)
    audit = reads(audits.audit, admit=cuts.admitted_audit)
    artifact_provenance = reads(provenance.artifact_provenance)
    to_networkx = reads(convert.to_networkx)

    # -- tables ----------------------------------------------------------------

    reports = reads(tables.reports)
    versions = reads(tables.versions)
    nodes = reads(tables.nodes)
    edges = reads(tables.edges)
    timeline = reads(tables.timeline)
    citations = reads(tables.citations)
    artifacts = reads(tables.artifacts)
    papers = reads(tables.papers)

    @told_by(tables.sessions)
    def sessions(self) -> pd.DataFrame:  # noqa: D102
        with self.reading() as graph:
            return tables.sessions(graph, self._store.problems())

    @told_by(tables.problems)
    def problems(self) -> pd.DataFrame:  # noqa: D102
        return tables.problems(self._store.problems())

    def cypher(self, text: str, /, **params: object) -> pd.DataFrame:
        """Answer a question in Cypher, as a table; nothing is ever written.

        A Neo4j server answers itself. For any other store an embedded engine
        is filled from the memory whenever it has changed; what that engine would
        cut or answer otherwise than Neo4j is refused, and the error says how to
        write it, so that one question has one answer.

        Parameters
        ----------
        text : str
            One statement that reads. A node has its label, or labels, as stored
            and all its properties; what a table calls its id is its key there,
            such as ``claim_id``.
        **params
            The values of ``$name`` in the text: what a property may hold, an
            instant (as the text a memory holds), or None.

        Returns
        -------
        DataFrame
            A row per row of the answer. Columns of text are ``string``, of truth
            values ``boolean``, of whole numbers ``Int64``, of numbers
            ``Float64``, all others ``object``. A node is a dict ``id, labels,
            props``, a relationship ``type, props``, a path ``nodes,
            relationships``. Times are text, as stored. A null is a missing
            value, and so is a number that is not finite.

        Raises
        ------
        UnknownLabel, UnknownEdgeType
            Neither the schema nor the memory knows a name in a pattern.
        BadRequest
            The text is no question, would write, lacks a parameter or is not
            understood; on a local store also what Neo4j would answer otherwise.
        InvalidRecord
            A parameter no property could hold.
        MissingExtra
            The embedded engine is not installed.

        Examples
        --------
        >>> import smemkit
        >>> mem = smemkit.open(":memory:")
        >>> _ = mem.observe_session_first_message("s1", core_objective="Do bills grow?")
        >>> mem.cypher(
        ...     "MATCH (g:ResearchGoal) WHERE g.session_id = $s RETURN count(*) AS goals",
        ...     s="s1",
        ... )
           goals
        0      1
        """
        asked = question(text, params)
        store = self._store
        ask = store.cypher if isinstance(store, Queryable) else self._embedded().ask
        names, rows = ask(asked)
        refuse_unknown(asked, ask)
        return tables.asked(columns(asked) or names, rows)

    def _embedded(self) -> Engine:
        """Return the engine, filled with the store's present state."""
        with self._store.lock():
            if self._engine is None:
                self._engine = Engine()
            self._engine.fill(self._store.graph())
            return self._engine

    # -- pictures --------------------------------------------------------------

    def show(self, answer: Trace | Chain, *, lang: str | None = None) -> View:
        """Draw a trace or a chain: one interactive page that needs no network.

        Parameters
        ----------
        answer : Trace or Chain
            What `trace_provenance` or `chain` returned.
        lang : {"en", "zh"}, optional
            Language of the captions; default: that of the locale.

        Returns
        -------
        View
            Displays itself in a notebook; ``save_html(path)`` keeps the page.
        """
        with self.reading() as graph:
            return showing.chain_view()(answer, graph, lang=lang)

    explore = showing.explore

    def figure(
        self,
        x: Trace | Chain | Audit | Subgraph | None = None,
        *,
        session_id: str | None = None,
        width_mm: float = 170,
        lang: str | None = None,
    ) -> Figure:
        """Draw a trace, a chain, an audit or a session as SVG, PDF or PNG.

        See `smemkit.views.figure.figure`; without `x` the session is drawn.

        Examples
        --------
        >>> import smemkit
        >>> mem = smemkit.open(":memory:")
        >>> _ = mem.observe_session_first_message("s1", core_objective="Do bills grow?")
        >>> mem.figure(width_mm=120, lang="en").size_mm[0]
        120.0
        """
        from smemkit.views.figure.figure import figure

        with self.reading(session_id) as graph:
            if session_id is not None:
                known_session(graph, session_id)
            elif x is None:
                session_id = only_session(graph)
            return figure(x, graph, session_id=session_id, width_mm=width_mm, lang=lang)


def open(target: Target, *, must_exist: bool = False, **options: object) -> Memory:
    """Open a science memory.

    Parameters
    ----------
    target : str or path
        A folder with the app's JSONL files; ``neo4j://host:7687`` or ``bolt://…``
        for one on a Neo4j server; ``http://…`` for one that is served;
        ``:memory:`` for one that lives in this process only. A folder that does
        not exist is an empty memory, which the first write creates.
    must_exist : bool, default False
        Refuse a folder that does not exist.
    **options
        What the kind of store takes besides: ``auth=(user, password)`` for Neo4j,
        ``token`` over HTTP.

    Returns
    -------
    Memory
        Close it, or use it in a ``with`` block.

    Raises
    ------
    StoreNotFound
        With `must_exist`: nothing is there.
    NotAMemory
        Something else is there.

    Examples
    --------
    >>> import smemkit
    >>> smemkit.open(":memory:")
    <Memory :memory:>
    """
    return Memory(open_store(target, must_exist=must_exist, **options))
