# SPDX-License-Identifier: Apache-2.0
"""What people see: a scene of plain data, drawn as a page, a picture or an outline."""
