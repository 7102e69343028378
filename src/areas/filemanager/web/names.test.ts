import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { base64Of, nameEdited, pathFrom, shown, wirePath } from './names.ts'

const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64')

describe('a name on its way through the pages', () => {
  it('stays as it is where it is UTF-8', () => {
    assert.deepEqual(wirePath(pathFrom('Größe/日本 🦊.txt')), { path: 'Größe/日本 🦊.txt' })
    assert.equal(shown('Größe 🦊'), 'Größe 🦊')
  })

  it('keeps bytes that are no UTF-8, shows them, and sends them as they were', () => {
    const bytes = base64(0x63, 0x61, 0x66, 0xe9, 0x2f, 0xff, 0xc3, 0xa9)
    const path = pathFrom('caf�/�é', bytes)
    assert.equal(shown(path), 'caf\\xE9/\\xFFé')
    assert.deepEqual(path.split('/').map(shown), ['caf\\xE9', '\\xFFé'])
    assert.deepEqual(wirePath(path), { path_b64: bytes })
    assert.equal(base64Of(path), bytes)
  })

  it('shows what nobody sees, and what turns a name around', () => {
    assert.equal(shown('a\nb\tc\u0001'), 'a\\nb\\tc\\u0001')
    assert.equal(shown('photo\u202Egpj.exe'), 'photo\\u202Egpj.exe')
    assert.deepEqual(wirePath('a\nb'), { path: 'a\nb' })
  })

  it('survives every byte that a name can have', () => {
    const all = base64(
      ...Array.from({ length: 255 }, (_, index) => index + 1).filter((byte) => byte !== 0x2f),
    )
    assert.equal(base64Of(pathFrom('', all)), all)
  })

  it('keeps what no field can hold where a new name leaves it as it is', () => {
    const former = pathFrom('', base64(0x63, 0xe9, 0x0a, 0x62, 0xff, 0x2e, 0x74))
    assert.equal(shown(former), 'c\\xE9\\nb\\xFF.t')
    assert.equal(nameEdited(former, 'c\\xE9\\nb\\xFF.tx'), `${former}x`)
    assert.equal(nameEdited(former, 'new \\xE9\\nb\\xFF.md'), `new ${former.slice(1, 5)}.md`)
    assert.equal(nameEdited(former, 'c\\nb.t'), 'c\nb.t')
    assert.equal(nameEdited(former, 'plain'), 'plain')
  })

  it('takes an escape that is new, or of a name that has none, for what is written', () => {
    assert.equal(nameEdited('a\nb', 'a\\n\\nb'), 'a\n\\nb')
    assert.equal(nameEdited('a\\nb', 'a\\nbc'), 'a\\nbc')
    assert.equal(nameEdited('a\nb', 'a\\tb'), 'a\\tb')
    assert.equal(nameEdited('a\nb', '\u{1F98A}'), '\u{1F98A}')
  })
})
