// keys.mjs - keyboard shortcuts; page.html lists them.

const TYPING = "input:not([type=checkbox]), textarea, select, [contenteditable]";

const undoes = (event) => (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z";

// actions: { draw, left, right, undo }; on(): whether they are wanted. Keys in a text field stay its own.
export function listen(actions, on) {
  const plain = { d: actions.draw, ArrowLeft: actions.left, ArrowRight: actions.right };
  document.addEventListener("keydown", (event) => {
    if (!on() || event.repeat || event.target.closest?.(TYPING)) return;
    const held = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = undoes(event) && !event.shiftKey ? actions.undo : held ? null : plain[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
