import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takenNames } from './taken-names.ts'

const list = (...files: readonly string[]) => `VirtualHost configuration:
*:80                   is a NameVirtualHost
         default server default.hostreeve.invalid (/etc/own.conf:1)
${files.map((path) => `         port 80 namevhost example.com (${path}:3)\n                 alias www.example.com\n                 wild alias *.example.com`).join('\n')}
`
const candidate = { path: '/sites/example.com.conf', preparedPath: '/sites/.new', content: '' }

test('a name of one file may be in several of its virtual hosts', () => {
  assert.equal(takenNames(list(candidate.path, candidate.path), [candidate]), undefined)
})

test('a name that another file has is refused with the path of that file', () => {
  for (const own of [candidate.path, candidate.preparedPath]) {
    const message = takenNames(list('/etc/admin.conf', own), [candidate]) ?? ''
    assert.match(message, /"example\.com" on port 80: it is also in \/etc\/admin\.conf/)
    assert.match(message, /"www\.example\.com"/)
  }
})

test('names that two files of the administrator have are no matter of a candidate', () => {
  assert.equal(takenNames(list('/etc/a.conf', '/etc/b.conf'), [candidate]), undefined)
})
