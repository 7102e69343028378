import { type StreamParser, StreamLanguage } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import type { Language } from './language-of-file.ts'

const stream = <State>(parser: StreamParser<State>): Extension => StreamLanguage.define(parser)

const loaders: Readonly<Record<Language, () => Promise<Extension>>> = {
  css: async () => (await import('@codemirror/lang-css')).css(),
  html: async () => (await import('@codemirror/lang-html')).html(),
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true }),
  typescript: async () =>
    (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true }),
  json: async () => (await import('@codemirror/lang-json')).json(),
  markdown: async () => (await import('@codemirror/lang-markdown')).markdown(),
  php: async () => (await import('@codemirror/lang-php')).php(),
  python: async () => (await import('@codemirror/lang-python')).python(),
  sql: async () => (await import('@codemirror/lang-sql')).sql(),
  xml: async () => (await import('@codemirror/lang-xml')).xml(),
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
  shell: async () => stream((await import('@codemirror/legacy-modes/mode/shell')).shell),
  properties: async () => stream((await import('@codemirror/legacy-modes/mode/properties')).properties),
  toml: async () => stream((await import('@codemirror/legacy-modes/mode/toml')).toml),
  dockerfile: async () => stream((await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile),
  nginx: async () => stream((await import('@codemirror/legacy-modes/mode/nginx')).nginx),
  haproxy: async () => stream((await import('./haproxy-mode.ts')).haproxyMode),
  plain: async () => [],
}

/** Loads the syntax highlighting of a language. */
export const loadLanguage = (language: Language): Promise<Extension> => loaders[language]()
