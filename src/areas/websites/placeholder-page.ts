/** Returns the page of a new website, until its owner uploads another; it loads nothing from elsewhere. */
export function placeholderPage(domain: string): string {
  const name = escapeHtml(domain)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${name}</title>
<style>
:root { color-scheme: light dark }
body { min-height: 100vh; margin: 0; display: grid; place-items: center; font: 1.05rem/1.6 system-ui, sans-serif }
main { max-width: 34rem; padding: 2rem }
h1 { font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere }
code { overflow-wrap: anywhere }
</style>
</head>
<body>
<main>
<h1>${name}</h1>
<p>This website is ready, and has no content yet.</p>
<p>To replace this page, upload your own <code>index.html</code> to <code>sites/${name}/public</code>.</p>
</main>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)
}
