# SPDX-License-Identifier: Apache-2.0
"""Writing into a memory: what each verb stores, decided under the store's lock."""
