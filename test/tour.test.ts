import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { areas } from '../src/app/areas.ts'
import { fileOf, mostBytes, pictures, width } from './tour.ts'
import { root } from './policies/sources.ts'

const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

/** The parts of the tour by their picture: what is said of an area. */
const parts = new Map(
  read('docs/tour.md')
    .split(/^### /m)
    .slice(1)
    .map((part) => [/\(pictures\/([\w-]+)\.webp\)/.exec(part)?.[1] ?? '', part]),
)
const withPages = globSync('src/areas/*/web/pages.ts', { cwd: root }).map((path) => ({
  area: path.split('/')[2] as string,
  guide: /^ {2}guide: '([\w-]+)',$/m.exec(read(path))?.[1],
}))

/** The width of a picture (the WebP container, RFC 9649): of a lossy one, or of one with a header of its own. */
function widthOf(webp: Buffer): number | undefined {
  if (webp.toString('latin1', 0, 4) !== 'RIFF' || webp.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const kind = webp.toString('latin1', 12, 16)
  if (kind === 'VP8 ') return webp.readUInt16LE(26) & 0x3fff
  return kind === 'VP8X' ? webp.readUIntLE(24, 3) + 1 : undefined
}

describe('the tour of the panel', () => {
  for (const { area, guide } of withPages)
    test(`shows ${area} in one sentence and a small picture, and leads to its guide`, () => {
      const title = areas.find(({ name }) => name === area)?.title
      const part = parts.get(area)
      assert.ok(part, `docs/tour.md has no picture of ${area}`)
      const [head, sentence = '', picture] = part.trim().split('\n\n')
      assert.deepEqual([head, picture], [title, `![${title} in the panel](pictures/${area}.webp)`])
      assert.ok(guide, `src/areas/${area}/web/pages.ts names no guide`)
      assert.match(sentence, /^[A-Za-z][^\n]*[^.]\. \[Guide\]\(guides\/[\w-]+\.md\)$/)
      assert.ok(sentence.endsWith(`(guides/${guide}.md)`), sentence)
      const file = readFileSync(`${root}${fileOf(area)}`)
      assert.equal(widthOf(file), width)
      assert.ok(file.length <= mostBytes, `${fileOf(area)} has ${file.length} bytes`)
    })

  test('has a picture of each area that has a page, and of nothing else', () => {
    const names = withPages.map(({ area }) => area).toSorted()
    assert.deepEqual(Object.keys(pictures).toSorted(), names)
    assert.deepEqual([...parts.keys()].toSorted(), names)
    assert.deepEqual(
      readdirSync(`${root}docs/pictures`).toSorted(),
      names.map((name) => `${name}.webp`),
    )
  })

  test('takes its pictures from suites that exist', () => {
    for (const source of Object.values(pictures)) {
      if (!('suite' in source)) continue
      const path = `test/browser/${source.suite}.test.ts`
      assert.ok(existsSync(`${root}${path}`), path)
      assert.ok(read(path).includes(`'${source.title}'`), `${path} looks at nothing named ${source.title}`)
    }
  })

  test('is linked from the README, and the index names every guide', () => {
    assert.match(read('README.md'), /\(docs\/tour\.md\)/)
    const index = read('docs/guides/README.md')
    for (const name of readdirSync(`${root}docs/guides`))
      if (name !== 'README.md')
        assert.ok(index.includes(`](${name})`), `docs/guides/README.md does not name ${name}`)
  })
})
