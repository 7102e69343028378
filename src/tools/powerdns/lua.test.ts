import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderLuaRecord } from './lua.ts'

describe('a LUA record', () => {
  it('picks targets by their weights', () => {
    const targets = [
      { value: '192.0.2.1', weight: 3 },
      { value: '192.0.2.2', weight: 1 },
    ]
    assert.equal(
      renderLuaRecord('A', { kind: 'weighted', targets }),
      `A "pickwrandom({{3,'192.0.2.1'},{1,'192.0.2.2'}})"`,
    )
  })

  it('names the countries of one value together, and ends with the default', () => {
    const countries = { US: '192.0.2.1', DE: '192.0.2.2', CA: '192.0.2.1' }
    assert.equal(
      renderLuaRecord('A', { kind: 'geo', countries, fallback: '192.0.2.9' }),
      `A ";if country({'CA','US'}) then return '192.0.2.1' end if country({'DE'}) then return '192.0.2.2' end return '192.0.2.9'"`,
    )
  })

  it('prefers the primary while its port accepts connections', () => {
    const content = renderLuaRecord('AAAA', {
      kind: 'failover',
      primary: '2001:db8::1',
      backup: '2001:db8::2',
      check: { port: 443 },
    })
    assert.match(content, /^AAAA ";local up=ifportup\(443,\{'2001:db8::1','2001:db8::2'\},/)
    assert.match(content, /return '2001:db8::2'"$/)
  })

  it('lets no value leave its string', () => {
    for (const text of [`a'b`, 'a"b', 'a\\b', "') os.execute('x", 'a\nb', ']]', 'é']) {
      const check = { url: 'http://example.com/', text }
      const content = renderLuaRecord('A', {
        kind: 'failover',
        primary: '192.0.2.1',
        backup: '192.0.2.2',
        check,
      })
      const inside = /stringmatch='([^']*)'\}\)"$/.exec(content)?.[1] ?? ''
      const decoded = Buffer.from(
        inside.replaceAll(/\\\\(\d{3})/g, (_, code) => String.fromCharCode(Number(code))),
        'latin1',
      ).toString()
      assert.equal(decoded, text)
    }
  })
})
