import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { FoundRow, SearchCall } from './calls.ts'
import { type Finder, searchLines } from './search-lines.ts'

describe('both search programs', { skip: existsSync('/usr/bin/rg') ? false : 'needs ripgrep' }, () => {
  const root = mkdtempSync(join(tmpdir(), 'search-'))
  const home = process.cwd()
  before(() => {
    process.chdir(root)
    const script = `mkdir -p d/.git sub "$(printf 'odd\\377')" .hostreeve-trash/x; printf 'one Needle\\ntwo\\r\\nthree needle needle\\n' > d/a.php; printf 'needle' > d/.git/config
      printf 'd\\n*.php\\n' > .gitignore; printf 'a.php' > .ignore; printf 'NEEDLE' > d/.hidden; printf 'x\\0needle' > bin; printf '\\377\\376n\\0e\\0' > utf16
      printf 'K\\344se needle\\n' > latin; printf 'KÄSE needle\\n' > upper; printf 'käse' > lower; printf needle > "$(printf 'odd\\377')/f"; printf needle > "$(printf 'n\\nl')"
      printf needle > .hostreeve-trash/x/f; printf needle > .hostreeve-tmp-1; printf -- '--help needle' > -- -f; ln -s /etc etc; ln -s d link; mkfifo pipe; printf 'a.c\\naXc\\n' > dots; printf needle > s.php; chmod 644 s.php
      printf 'needle early\\n' > late; head -c 3000000 /dev/zero | tr '\\0' z | fold -w 70 >> late; printf '\\0' >> late; head -c 300000 /dev/zero | tr '\\0' y > long; printf ' needle' >> long`
    execFileSync('bash', ['-c', script]) // the NUL of `late` lies beyond the buffer that ripgrep keeps from `long`
  })
  after(() => {
    process.chdir(home)
    rmSync(root, { recursive: true, force: true })
  })
  const find = async (finder: Finder, query: string, more: Partial<SearchCall> = {}, folder = '') => {
    const rows: FoundRow[] = []
    const call: SearchCall = {
      op: 'search',
      path: folder,
      query: Buffer.from(query).toString('latin1'),
      content: true,
      limit: 1000,
      matchCase: false,
      glob: false,
      ...more,
    }
    await searchLines(call, folder, {
      add: (row) => void rows.push(row),
      signal: new AbortController().signal,
      finder,
    })
    return rows.map(({ path, line, text }) => `${path}:${line}:${text}`).toSorted()
  }

  for (const [title, query, more, folder, count] of [
    ['in either case, also what a repository ignores and hides', 'needle', {}, '', 12],
    ['in their own case', 'Needle', { matchCase: true }, '', 1],
    ['of letters with marks, in either case', 'käse', {}, '', 2],
    ['that are no patterns', 'a.c', {}, '', 1],
    ['that begin with a dash', '--help', {}, '', 1],
    ['of files with such names', 'needle', { files: '*.php' }, '', 3],
    ['below a folder', 'needle', {}, 'd', 4],
    ['below a folder that is no UTF-8', 'needle', {}, 'odd\xff', 1],
    ['that nothing has', 'nowhere', {}, '', 0],
  ] as const)
    it(`find the same lines ${title}`, async () => {
      const [rg, grep] = [await find('rg', query, more, folder), await find('grep', query, more, folder)]
      assert.deepEqual(rg, grep)
      assert.equal(rg.length, count, rg.join('\n'))
      assert.equal(
        rg.some((row) => /^(?:\.hostreeve|etc|link|bin|utf16)/.test(row)),
        false,
      )
    })
})
