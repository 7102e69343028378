import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import type { Block, Guide, Inline, LinkTarget } from '../src/web/guides/guide.ts'
import { parseGuide } from './guide-markdown.ts'

const docs = new URL('../docs/', import.meta.url)
const parse = (text: string) => parseGuide('x.md', `# Title\n\n${text}`).blocks

describe('a guide', () => {
  test('is parsed into blocks', () => {
    assert.deepEqual(parse('## 1. TLS, now\n\nSend `a  b`\n*or* **[more](files.md#names)**.'), [
      { kind: 'heading', depth: 2, id: '1-tls-now', content: ['1. TLS, now'] },
      {
        kind: 'paragraph',
        content: [
          'Send ',
          { kind: 'code', text: 'a b' },
          ' ',
          { kind: 'emphasis', content: ['or'] },
          ' ',
          {
            kind: 'strong',
            content: [{ kind: 'link', target: { guide: 'files', hash: 'names' }, content: ['more'] }],
          },
          '.',
        ],
      },
    ])
  })

  test('keeps the lines of its code, and code in lists', () => {
    assert.deepEqual(parse('- one\n  ```sh\n  a <b>\n\n    c\n  ```'), [
      {
        kind: 'list',
        isOrdered: false,
        items: [
          [
            { kind: 'paragraph', content: ['one'] },
            { kind: 'code', text: 'a <b>\n\n  c' },
          ],
        ],
      },
    ])
  })

  test('has tables and pictures', () => {
    assert.deepEqual(parse('| a |\n|---|\n| `b` |\n\n![c](../pictures/d.webp)'), [
      { kind: 'table', head: [['a']], rows: [[[{ kind: 'code', text: 'b' }]]] },
      { kind: 'picture', file: 'd.webp', alt: 'c' },
    ])
  })

  for (const [what, text] of [
    ['a block of HTML', '<div>x</div>'],
    ['a tag in a line', 'an <img src=x onerror=alert(1)> here'],
    ['a link that runs a script', '[x](javascript:alert(1))'],
    ['a link into the sources', '[x](../../src/app/main.ts)'],
    ['a picture of another host', '![x](https://example.com/x.png)'],
  ] as const)
    test(`refuses ${what}, and names the line`, () => {
      assert.throws(() => parse(`text\n\n${text}`), /^Error: x\.md:5: /)
    })

  test('refuses a document without a title', () => {
    assert.throws(() => parseGuide('x.md', 'text'), /^Error: x\.md:1: begin with/)
  })
})

describe('the index of the guides', () => {
  test('names each guide once, by its title', () => {
    const folder = new URL('guides/', docs)
    const index = readFileSync(new URL('README.md', folder), 'utf8')
    const listed = [...index.matchAll(/^- \[(.+)\]\((.+\.md)\)/gm)].map(([, title, name]) => [name, title])
    const guides = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')
    const titled = guides.map((name) => [
      name,
      /^# (.+)$/m.exec(readFileSync(new URL(name, folder), 'utf8'))?.[1],
    ])
    assert.deepEqual(listed.toSorted(), titled.toSorted())
  })
})

describe('the guides', () => {
  const guides = new Map<string, Guide>(
    readdirSync(new URL('guides/', docs))
      .filter((name) => name.endsWith('.md'))
      .map((name) => [
        basename(name, '.md'),
        parseGuide(name, readFileSync(new URL(`guides/${name}`, docs), 'utf8')),
      ]),
  )

  for (const [name, { blocks }] of guides)
    test(`${name} links to headings and pictures that exist`, () => {
      for (const target of blocks.flatMap(targetsIn)) {
        if (!('guide' in target)) continue
        const other = guides.get(target.guide)
        assert.ok(other, `there is no guide ${target.guide}`)
        const ids = other.blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []))
        assert.ok(target.hash === undefined || ids.includes(target.hash), `no heading #${target.hash}`)
      }
      for (const block of blocks)
        if (block.kind === 'picture')
          assert.ok(existsSync(new URL(`pictures/${block.file}`, docs)), block.file)
    })
})

function targetsIn(block: Block): readonly LinkTarget[] {
  if (block.kind === 'list') return block.items.flat().flatMap(targetsIn)
  if (block.kind === 'table') return [...block.head, ...block.rows.flat()].flatMap(linksIn)
  return 'content' in block ? linksIn(block.content) : []
}

const linksIn = (content: readonly Inline[]): readonly LinkTarget[] =>
  content.flatMap((each) => {
    if (typeof each === 'string' || each.kind === 'code') return []
    return each.kind === 'link' ? [each.target] : linksIn(each.content)
  })
