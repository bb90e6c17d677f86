// SPDX-License-Identifier: Apache-2.0
// Joins the frames of one view to its Python object. It is never displayed: a notebook
// that has no kernel any more loses nothing but the link.
export default {
  initialize({ model }) {
    const frames = () => [...document.querySelectorAll("iframe[data-x]")]
      .filter((frame) => frame.dataset.x === model.get("token"));
    const tell = (frame, message) => frame.contentWindow?.postMessage({ smemkit: 1, ...message }, "*");
    const tellAll = (message) => frames().forEach((frame) => tell(frame, message));
    let walked = 0;
    const hear = (event) => {
      const from = frames().find((frame) => frame.contentWindow === event.source);
      const { smemkit, kind, key } = event.data ?? {};
      if (!from || smemkit !== 1 || typeof key !== "string" || key.length > 24) return;
      if (kind === "ready") {
        // A frame that was moved or opened again has forgotten everything.
        const walk = model.get("walk");
        if (walk.key && walk.key === model.get("key")) tell(from, { kind: "walk", key: walk.key, walk: walk.walk });
        else if (model.get("key")) tell(from, { kind: "select", key: model.get("key") });
      } else if (kind === "selected" && key !== model.get("key")) {
        model.set("key", key);
        model.save_changes();
      }
    };
    const selected = () => tellAll({ kind: "select", key: model.get("key") });
    const walk = () => {
      const asked = model.get("walk");
      if (!asked.key || asked.n === walked) return;
      walked = asked.n;
      tellAll({ kind: "walk", key: asked.key, walk: asked.walk });
    };
    window.addEventListener("message", hear);
    model.on("change:key", selected);
    model.on("change:walk", walk);
    // Frames that were ready before this link was.
    if (model.get("key")) selected();
    return () => {
      window.removeEventListener("message", hear);
      model.off("change:key", selected);
      model.off("change:walk", walk);
    };
  },
};
