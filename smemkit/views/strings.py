# SPDX-License-Identifier: Apache-2.0
"""Every word that a view shows of itself, in English and Chinese."""

from __future__ import annotations

import locale
from collections.abc import Mapping

from smemkit.errors import BadRequest

LANGUAGES = ("en", "zh")

ENGLISH: Mapping[str, str] = {
    "complete": "complete",
    "broken": "broken",
    "truncated": "truncated",
    "complete.words": "The chain reaches the research goal.",
    "broken.words": "The chain breaks: {reason}.",
    "truncated.words": "The walk was stopped: {reason}.",
    "break": "chain breaks here",
    "stopped": "walk stopped here",
    "fit": "Fit",
    "fit.help": "Show the whole chain",
    "zoom_in": "Zoom in",
    "zoom_out": "Zoom out",
    "chain": "Chain, nearest first",
    "nodes": "Nodes",
    "details": "Details",
    "choose": "Choose a node in the picture or in the list.",
    "leads_to": "Leads to",
    "comes_from": "Comes from",
    "fields": "Properties",
    "start": "start",
    "goal": "goal reached",
    "hop": "hop {n}",
    "shown": "showing {shown} of {total} nodes",
    "inferred": "inferred",
    "walked": "part of the chain",
    "context": "stored, not part of the chain",
    "legend": "Legend",
    "drawing": "Provenance graph; the list beside it holds the same nodes.",
    "no_script": "The picture needs JavaScript; the list holds the same nodes.",
    "state.failed": "failed",
    "state.cancelled": "cancelled",
    "state.open": "not finished",
    "state.done": "done",
    "old_browser": "This browser cannot open the interactive view.",
    "label.ResearchGoal": "ResearchGoal",
    "label.Task": "Task",
    "label.ToolCall": "ToolCall",
    "label.Code": "Code",
    "label.Artifact": "Artifact",
    "label.Paper": "Paper",
    "label.Evidence": "Evidence",
    "label.Claim": "Claim",
    "label.SourceFile": "SourceFile",
    "label.WebPage": "WebPage",
    "label.DbRecord": "DbRecord",
    "label.Sentence": "Sentence",
    "verdict.unknown alias": "unknown alias",
    "verdict.unlinked claim": "unlinked claim",
    "verdict.broken": "broken",
    "verdict.truncated": "truncated",
    "verdict.superseded": "superseded",
    "verdict.complete": "complete",
    "verdict.uncited": "uncited",
    "figure.node": "node",
    "figure.more": "{count} more {label}",
    "figure.many": "{count} × {label}",
    "figure.session": "Session {id}",
    "figure.counts": "{nodes} nodes, {edges} edges",
    "figure.folded": "folded: {shown} of {total} nodes drawn one by one",
    "figure.rail": "a column holds what came out of its step, or was declared while it was the last one",
    "figure.undrawn": "not drawn one by one: {edges}",
    "figure.context": "thin: stored, not part of the chain",
    "figure.inferred": "dashed: inferred",
    "figure.goes_on": "a number in a ring: the line goes on at the same number",
    "figure.no_font": "□: no installed font has this character",
    "figure.lane.files": "files",
    "figure.lane.steps": "steps",
    "figure.lane.inside": "calls of subagents",
    "figure.lane.code": "code",
    "figure.lane.artifacts": "artifacts",
    "figure.lane.findings": "evidence and claims",
    "figure.lane.papers": "papers and sources",
    "figure.lane.other": "others",
}

CHINESE: Mapping[str, str] = {
    "complete": "完整",
    "broken": "断开",
    "truncated": "未走完",
    "complete.words": "链路到达研究目标。",
    "broken.words": "链路断开：{reason}。",
    "truncated.words": "追溯提前停止：{reason}。",
    "break": "链路在此断开",
    "stopped": "追溯在此停止",
    "fit": "适应窗口",
    "fit.help": "显示整条链路",
    "zoom_in": "放大",
    "zoom_out": "缩小",
    "chain": "链路（由近及远）",
    "nodes": "节点",
    "details": "详情",
    "choose": "请在图中或列表中选择一个节点。",
    "leads_to": "指向",
    "comes_from": "来自",
    "fields": "属性",
    "start": "起点",
    "goal": "到达目标",
    "hop": "第 {n} 跳",
    "shown": "显示 {total} 个节点中的 {shown} 个",
    "inferred": "推断",
    "walked": "属于链路",
    "context": "已存储，不属于链路",
    "legend": "图例",
    "drawing": "溯源图；旁边的列表包含相同的节点。",
    "no_script": "图形需要 JavaScript；列表包含相同的节点。",
    "state.failed": "失败",
    "state.cancelled": "已取消",
    "state.open": "未结束",
    "state.done": "完成",
    "old_browser": "此浏览器无法打开交互视图。",
    "label.ResearchGoal": "研究目标",
    "label.Task": "任务",
    "label.ToolCall": "工具调用",
    "label.Code": "代码",
    "label.Artifact": "产物",
    "label.Paper": "论文",
    "label.Evidence": "证据",
    "label.Claim": "声明",
    "label.SourceFile": "源文件",
    "label.WebPage": "网页",
    "label.DbRecord": "数据库记录",
    "label.Sentence": "句子",
    "verdict.unknown alias": "未知引用",
    "verdict.unlinked claim": "声明未关联",
    "verdict.broken": "断开",
    "verdict.truncated": "未走完",
    "verdict.superseded": "已被取代",
    "verdict.complete": "完整",
    "verdict.uncited": "无引用",
    "figure.node": "节点",
    "figure.more": "另有 {count} 个{label}",
    "figure.many": "{count} 个{label}",
    "figure.session": "会话 {id}",
    "figure.counts": "{nodes} 个节点，{edges} 条边",
    "figure.folded": "已折叠：{total} 个节点中逐个绘出 {shown} 个",
    "figure.rail": "每列为一个步骤得出的内容，或在其后声明的内容",
    "figure.undrawn": "未逐条绘出：{edges}",
    "figure.context": "细线：已存储，不属于链路",
    "figure.inferred": "虚线：推断",
    "figure.goes_on": "圈中数字：连线在相同数字处继续",
    "figure.no_font": "□：已安装的字体没有该字符",
    "figure.lane.files": "文件",
    "figure.lane.steps": "步骤",
    "figure.lane.inside": "子智能体的调用",
    "figure.lane.code": "代码",
    "figure.lane.artifacts": "产物",
    "figure.lane.findings": "证据与声明",
    "figure.lane.papers": "论文与来源",
    "figure.lane.other": "其他",
}

_TABLES: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "zh": CHINESE}


def language(lang: str | None) -> str:
    """Return ``en`` or ``zh``: the one asked for, else that of the locale.

    Raises
    ------
    BadRequest
        Another language was asked for.

    Examples
    --------
    >>> language("zh-CN"), language("en")
    ('zh', 'en')
    """
    if lang is None:
        found = locale.getlocale()[0] or ""
        return "zh" if found.lower().startswith(("zh", "chinese")) else "en"
    short = lang.lower().replace("_", "-").split("-")[0]
    if short in _TABLES:
        return short
    raise BadRequest(
        f"lang={lang!r}", found="no such language here", do="use 'en' or 'zh'"
    )


def strings(lang: str | None = None) -> Mapping[str, str]:
    """Return all captions of one language.

    Examples
    --------
    >>> strings("zh")["legend"]
    '图例'
    """
    return _TABLES[language(lang)]
