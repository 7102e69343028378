const endings = {
  css: 'css',
  less: 'css',
  scss: 'css',
  htm: 'html',
  html: 'html',
  vue: 'html',
  cjs: 'javascript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cts: 'typescript',
  mts: 'typescript',
  ts: 'typescript',
  tsx: 'typescript',
  json: 'json',
  map: 'json',
  webmanifest: 'json',
  markdown: 'markdown',
  md: 'markdown',
  php: 'php',
  phtml: 'php',
  py: 'python',
  sql: 'sql',
  atom: 'xml',
  rss: 'xml',
  svg: 'xml',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
  bash: 'shell',
  bashrc: 'shell',
  profile: 'shell',
  sh: 'shell',
  cfg: 'properties',
  conf: 'properties',
  env: 'properties',
  htaccess: 'properties',
  ini: 'properties',
  properties: 'properties',
  service: 'properties',
  toml: 'toml',
  dockerfile: 'dockerfile',
} as const

/** A language that the editor highlights. */
export type Language = (typeof endings)[keyof typeof endings] | 'haproxy' | 'nginx' | 'plain'

const byEnding = new Map<string, Language>(Object.entries(endings))

/** Returns the language of a file by its extension; plain if the extension is unknown. */
export function languageOfFile(path: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return byEnding.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'plain'
}
