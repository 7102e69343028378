/** The reader's style sheet, in the colors of the panel; a separate file, as the page allows no inline styles. */
export const readerStyle = `
:root {
  color-scheme: light dark;
  font: 15px/1.55 Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --surface: light-dark(#ffffff, #1d2025);
  --ground: light-dark(#f6f7f9, #15171b);
  --sunken: light-dark(#f8f9fb, #191c20);
  --line: light-dark(#e3e6ea, #2f343b);
  --text: light-dark(#1c1f23, #d3d7dd);
  --dimmed: light-dark(#545b64, #a6abb3);
  --link: light-dark(#364fc7, #91a7ff);
}
* { box-sizing: border-box }
html { scroll-padding-top: 72px }
body { margin: 0; background: var(--ground); color: var(--text) }
a { color: var(--link) }
:focus-visible { outline: 2px solid light-dark(#3b5bdb, #91a7ff); outline-offset: 2px }
header { position: sticky; top: 0; z-index: 1; background: var(--surface); border-bottom: 1px solid var(--line) }
header div { max-width: 72rem; margin: 0 auto; padding: 14px 16px; display: flex; gap: 16px; justify-content: space-between }
header strong { font-weight: 650 }
main { max-width: 72rem; margin: 0 auto; padding: 24px 16px }
h1 { font-size: 26px; line-height: 1.3; font-weight: 650; margin: 0 0 4px }
h2 { font-size: 18px; font-weight: 650; margin: 32px 0 8px }
h3 { font-size: 14px; font-weight: 650; margin: 16px 0 6px }
.about { color: var(--dimmed); max-width: 46rem }
nav ul { list-style: none; margin: 16px 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 8px }
nav a { display: block; padding: 4px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); text-decoration: none }
code { font: 0.9em ui-monospace, "JetBrains Mono", "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere }
details { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; margin-bottom: 8px; padding: 0 14px }
summary { cursor: pointer; padding: 10px 0; overflow-wrap: anywhere }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; color: var(--link) }
pre { overflow: auto; max-height: 28rem; margin: 0 0 14px; padding: 12px; background: var(--sunken); border: 1px solid var(--line); border-radius: 8px }
pre code { overflow-wrap: normal }
`
