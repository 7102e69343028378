import type { AppEntry } from './entry.ts'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="generator" content="Hostreeve starter 1.0">
    <title>{{title}}</title>
    <link rel="stylesheet" href="style.css">
  </head>
  <body>
    <header>
      <h1>{{title}}</h1>
    </header>
    <main>
      <p>This page is <code>index.html</code> in the folder of {{domain}}. Edit it in the files of the panel, or upload your own.</p>
    </main>
  </body>
</html>
`

const style = `:root {
  color-scheme: light dark;
  font: 1.125rem/1.6 system-ui, sans-serif;
}
body {
  margin: 0 auto;
  max-width: 42rem;
  padding: 2rem 1rem;
}
h1 {
  line-height: 1.2;
}
`

/** A page and a style sheet to begin with. */
export const starter: AppEntry = {
  id: 'starter',
  name: 'Static starter',
  icon: 'code',
  description: 'A page and a style sheet to begin with, without PHP and a database',
  archive_mb: 1,
  type: 'static',
  extensions: [],
  omits: [],
  moves: [],
  writes: [
    { path: 'public/index.html', content: page, is_secret: false },
    { path: 'public/style.css', content: style, is_secret: false },
    { path: 'public/robots.txt', content: 'User-agent: *\nAllow: /\n', is_secret: false },
  ],
  version: { file: 'index.html', pattern: 'content="Hostreeve starter ([0-9.]+)"' },
}
