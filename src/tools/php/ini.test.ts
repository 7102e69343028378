import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readIni, removeIniValue, setIniValue } from './ini.ts'

const text =
  '[PHP]\n; memory_limit = 1M\nmemory_limit=64M\n\xff = odd\nlong = "a\nmemory_limit = 2M"\n' +
  ' memory_limit =  128M  ; half\r\nempty =\n[HOST=a.example.com]\nmemory_limit = 1M\nlast = 1'

it('changes the mention that PHP takes, and no other byte', () => {
  assert.equal(setIniValue(text, 'memory_limit', '256M'), text.replace('128M', '256M'))
  assert.equal(setIniValue(text, 'empty', '1'), text.replace('empty =', 'empty =1'))
})

it('adds what is missing before the sections of hosts', () => {
  const added = setIniValue('a = 1\n[HOST=b]\na = 2\n', 'c', '3')
  assert.equal(added, 'a = 1\nc = 3\n[HOST=b]\na = 2\n')
  assert.equal(setIniValue('a = 1', 'c', '3'), 'a = 1\nc = 3\n')
})

it('reads values that span lines, and refuses to write them', () => {
  const long = readIni(text).find(({ name }) => name === 'long')
  assert.equal(long?.written, '"a\nmemory_limit = 2M"')
  assert.throws(() => setIniValue(text, 'a', '1\nb = 2'), /must be one line/)
})

it('removes the line that PHP takes, and no other byte', () => {
  assert.equal(removeIniValue('a = 1\nb = 2 ; b\nc = 3\n', 'b'), 'a = 1\nc = 3\n')
  assert.equal(removeIniValue('a = 1\n', 'b'), 'a = 1\n')
  assert.equal(removeIniValue('a = 1', 'a'), '')
})
