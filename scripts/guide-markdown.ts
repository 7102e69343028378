import { parser as commonmark, Table } from '@lezer/markdown'
import { type Block, type Guide, type Inline, type LinkTarget, plainText } from '../src/web/guides/guide.ts'

const parser = commonmark.configure(Table)

type Node = ReturnType<typeof parser.parse>['topNode']

/** A guide that is being parsed; `fail` names the line of a node. */
interface Source {
  readonly text: string
  fail(node: Node, message: string): never
}

const marks = new Set(['HeaderMark', 'ListMark', 'CodeMark', 'EmphasisMark', 'LinkMark', 'TableDelimiter'])

/** Parses a guide; throws, with file and line, on raw HTML and on everything else that its page cannot show. */
export function parseGuide(file: string, text: string): Guide {
  const source: Source = {
    text,
    fail: (node, message) => {
      throw new Error(`${file}:${text.slice(0, node.from).split('\n').length}: ${message}`)
    },
  }
  const [title, ...blocks] = blocksIn(parser.parse(text).topNode, source)
  if (title?.kind !== 'heading' || title.depth !== 1)
    throw new Error(`${file}:1: begin with "# " and a title`)
  return { title: plainText(title.content), blocks }
}

const blocksIn = (node: Node, source: Source): Block[] =>
  childrenOf(node)
    .filter(({ name }) => !marks.has(name))
    .map((child) => blockOf(child, source))

function blockOf(node: Node, source: Source): Block {
  const depth = /^ATXHeading(\d)$/.exec(node.name)?.[1]
  if (depth !== undefined) return headingOf(node, Number(depth), source)
  switch (node.name) {
    case 'Paragraph':
      return paragraphOf(node, source)
    case 'FencedCode': {
      const lines = node.getChildren('CodeText').map(({ from, to }) => source.text.slice(from, to))
      return { kind: 'code', text: lines.join('') }
    }
    case 'BulletList':
    case 'OrderedList': {
      const items = node.getChildren('ListItem').map((item) => blocksIn(item, source))
      return { kind: 'list', isOrdered: node.name === 'OrderedList', items }
    }
    case 'Table':
      return tableOf(node, source)
    default:
      return source.fail(node, `a guide cannot contain ${node.name}`)
  }
}

function headingOf(node: Node, depth: number, source: Source): Block {
  const content = inlineIn(node, source)
  return { kind: 'heading', depth, id: slugOf(plainText(content)), content }
}

/** The anchor that GitHub gives a heading, so that a link works there and in the panel. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function paragraphOf(node: Node, source: Source): Block {
  const image = node.getChild('Image')
  if (image === null) return { kind: 'paragraph', content: inlineIn(node, source) }
  const url = urlOf(image, source)
  const file = /^\.\.\/pictures\/([\w-]+\.(?:png|webp))$/.exec(url)?.[1]
  if (file === undefined || image.from !== node.from || image.to !== node.to)
    return source.fail(image, 'a picture is a paragraph of its own and in docs/pictures')
  return { kind: 'picture', file, alt: plainText(labelOf(image, source)) }
}

function tableOf(node: Node, source: Source): Block {
  const cellsOf = (row: Node) => row.getChildren('TableCell').map((cell) => inlineIn(cell, source))
  const head = node.getChild('TableHeader')
  return { kind: 'table', head: head ? cellsOf(head) : [], rows: node.getChildren('TableRow').map(cellsOf) }
}

/** The text of a node between two places, by default all of it, without the marks. */
function inlineIn(node: Node, source: Source, from = node.from, to = node.to): Inline[] {
  const found: Inline[] = []
  let end = from
  for (const child of childrenOf(node).filter((each) => each.from >= from && each.to <= to)) {
    found.push(proseOf(source.text.slice(end, child.from)))
    if (!marks.has(child.name)) found.push(inlineOf(child, source))
    end = child.to
  }
  found.push(proseOf(source.text.slice(end, to)))
  return trimmed(found.filter((each) => each !== ''))
}

/** Line breaks of the source are spaces. */
const proseOf = (text: string): string => text.replaceAll(/\s+/g, ' ')

const trimmed = (content: readonly Inline[]): Inline[] =>
  content.map((each, index) => {
    if (typeof each !== 'string') return each
    const begun = index === 0 ? each.trimStart() : each
    return index === content.length - 1 ? begun.trimEnd() : begun
  })

function inlineOf(node: Node, source: Source): Inline {
  switch (node.name) {
    case 'InlineCode': {
      const [open, close] = node.getChildren('CodeMark')
      return { kind: 'code', text: proseOf(source.text.slice(open?.to, close?.from)) }
    }
    case 'Emphasis':
      return { kind: 'emphasis', content: inlineIn(node, source) }
    case 'StrongEmphasis':
      return { kind: 'strong', content: inlineIn(node, source) }
    case 'Link':
      return { kind: 'link', target: targetOf(node, source), content: labelOf(node, source) }
    case 'Escape':
      return source.text.slice(node.from + 1, node.to)
    default:
      return source.fail(node, `a guide cannot contain ${node.name}`)
  }
}

function labelOf(node: Node, source: Source): Inline[] {
  const [open, close] = node.getChildren('LinkMark')
  return inlineIn(node, source, open?.to, close?.from)
}

function urlOf(node: Node, source: Source): string {
  const url = node.getChild('URL')
  return url === null
    ? source.fail(node, 'a link has its URL in parentheses')
    : source.text.slice(url.from, url.to)
}

function targetOf(node: Node, source: Source): LinkTarget {
  const url = urlOf(node, source)
  if (url.startsWith('https://')) return { href: url }
  if (/^\.\.\/reference\/[\w-]+\.md(?:#|$)/.test(url)) return { href: '/api/docs' }
  const [, guide, hash] = /^([\w-]+)\.md(?:#([\w-]+))?$/.exec(url) ?? []
  if (guide === undefined) return source.fail(node, `${url} is neither a guide, the reference, nor https`)
  return { guide, ...(hash !== undefined && { hash }) }
}

function childrenOf(node: Node): Node[] {
  const found: Node[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child)
  return found
}
