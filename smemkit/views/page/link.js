// SPDX-License-Identifier: Apache-2.0
// The link between a page and the notebook around it. Only the window that holds this
// frame is heard, and only the kinds of message named here.
const linked = ({ chosen, choose, walk }) => {
  window.addEventListener("message", (event) => {
    if (event.source !== window.parent || event.source === window) return;
    const message = event.data ?? {};
    if (message.smemkit !== 1 || typeof message.key !== "string") return;
    if (message.kind === "select" && message.key !== chosen()) choose(message.key);
    if (message.kind === "walk" && typeof message.walk === "string") walk?.(message.key, message.walk);
  });
  return (kind, key = "") => {
    if (window.parent !== window) window.parent.postMessage({ smemkit: 1, kind, key }, "*");
  };
};
