# SPDX-License-Identifier: Apache-2.0
"""The HTTP shim: a memory served in the app's wire format (contract/http.md).

Routes are thin: a request is validated (`models`), a `smemkit.memory.Memory` is
asked (`backends` knows which), its answer goes out as it is (`wire`). Files are
named after the question: `observe`, `persist`, `query`, `cleanup`, `control`,
`legacy`, `browser`.
"""
