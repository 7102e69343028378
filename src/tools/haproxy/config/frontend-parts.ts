import { StatementInvalid } from '../problems.ts'
import { type Bind, editBind, readBind, renderBind } from './bind-line.ts'
import { encodeWord, readWords } from './words.ts'

/** What a frontend holds, as its section says. */
export interface FrontendParts {
  readonly mode: string | null
  readonly binds: readonly Bind[]
  readonly defaultBackend: string | null
  readonly maxConnections: number | null
  readonly timeouts: readonly { readonly name: string; readonly value: string }[]
  readonly acls: readonly { readonly name: string; readonly criterion: string }[]
  readonly rules: readonly { readonly backend: string; readonly condition: string | null }[]
  readonly redirects: readonly string[]
}

/** How one kind of statement is read, written and, where it can be, edited in place. */
export interface PartKind<Item> {
  readonly part: keyof FrontendParts
  read(line: string): Item | undefined
  render(item: Item): string
  /** The same thing under other settings: its line is edited rather than replaced. */
  isSame?(one: Item, other: Item): boolean
  edit?(line: string, item: Item): string
}

const single = (part: keyof FrontendParts, keyword: string): PartKind<string> => ({
  part,
  read: (line) => {
    const words = readWords(line)
    return words[0]?.text === keyword ? words[1]?.text : undefined
  },
  render: (value) => `${keyword} ${encodeWord(value)}`,
})

const bind: PartKind<Bind> = {
  part: 'binds',
  read: readBind,
  render: (item) => renderBind(item, ''),
  isSame: (one, other) => one.address === other.address && one.port === other.port,
  edit: editBind,
}

const timeout: PartKind<FrontendParts['timeouts'][number]> = {
  part: 'timeouts',
  read: (line) => {
    const [keyword, name, value] = readWords(line)
    return keyword?.text === 'timeout' && name !== undefined && value !== undefined ? { name: name.text, value: value.text } : undefined
  },
  render: ({ name, value }) => `timeout ${encodeWord(name)} ${encodeWord(value)}`,
}

const acl: PartKind<FrontendParts['acls'][number]> = {
  part: 'acls',
  read: (line) => {
    const words = readWords(line)
    return words[0]?.text === 'acl' && words[1] !== undefined ? { name: words[1].text, criterion: rawOf(words.slice(2)) } : undefined
  },
  render: ({ name, criterion }) => `acl ${encodeWord(name)} ${statement(criterion)}`,
}

const rule: PartKind<FrontendParts['rules'][number]> = {
  part: 'rules',
  read: (line) => {
    const words = readWords(line)
    return words[0]?.text === 'use_backend' && words[1] !== undefined
      ? { backend: words[1].text, condition: words.length > 2 ? rawOf(words.slice(2)) : null }
      : undefined
  },
  render: ({ backend, condition }) => `use_backend ${encodeWord(backend)}${condition === null ? '' : ` ${statement(condition)}`}`,
}

const redirect: PartKind<string> = {
  part: 'redirects',
  read: (line) => {
    const words = readWords(line)
    if (words[0]?.text === 'http-request' && words[1]?.text === 'redirect') return rawOf(words.slice(2))
    return words[0]?.text === 'redirect' ? rawOf(words.slice(1)) : undefined
  },
  render: (text) => `http-request redirect ${statement(text)}`,
}

/** In the order in which HAProxy wants to read them: a condition may only name what stands before it. */
export const partKinds: readonly PartKind<any>[] = [
  bind,
  single('mode', 'mode'),
  single('maxConnections', 'maxconn'),
  timeout,
  acl,
  redirect,
  rule,
  single('defaultBackend', 'default_backend'),
]

const rawOf = (words: readonly { readonly raw: string }[]) => words.map(({ raw }) => raw).join(' ')

/** Words as a person wrote them, as long as they stay on one line: quotes must be closed, and nothing may hide behind a `#`. */
function statement(text: string): string {
  const words = readWords(text)
  const last = words.at(-1)
  // eslint-disable-next-line no-control-regex
  if (last === undefined || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text))
    throw StatementInvalid(`${JSON.stringify(text)} is not one line of words`)
  if (text.slice(last.start + last.raw.length).trim() !== '')
    throw StatementInvalid(`${JSON.stringify(text)}: put # in quotes, or it begins a comment`)
  if (readWords(`${text} x`).length !== words.length + 1) throw StatementInvalid(`${JSON.stringify(text)}: a quote is not closed`)
  return text.trim()
}
