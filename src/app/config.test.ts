import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, describe, test } from 'node:test'
import { ConfigInvalid, readConfig } from './config.ts'

describe('the configuration', () => {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-config-`)
  after(() => rmSync(folder, { recursive: true }))
  const read = (text: string, environment: Readonly<Record<string, string>> = {}) => {
    writeFileSync(`${folder}/config.toml`, text)
    return readConfig({ HOSTREEVE_DATA_DIR: folder, ...environment })
  }

  test('comes from the environment, then the file, then defaults', () => {
    const config = read('port = 8080\ntls = "on"\n', { HOSTREEVE_TLS: 'off' })
    assert.deepEqual([config.port, config.tls, config.host], ['8080', 'off', '127.0.0.1'])
    assert.equal(config.configuration.path, `${folder}/config.toml`)
    assert.equal(config.configuration.running['port'], '8080')
  })

  test('names the line that is not TOML without quoting a secret', () => {
    assert.throws(
      () => read('port = 1\nadmin_password = hunter2\n'),
      (error) =>
        error instanceof ConfigInvalid && /line 2, /.test(error.message) && !/hunter2/.test(error.message),
    )
  })

  test('refuses values with which the panel cannot start', () => {
    for (const [text, message] of [
      ['port = 65536', /^HOSTREEVE_PORT: must be a port from 0 to 65535, not 65536/],
      ['port = -1', /^HOSTREEVE_PORT: must be a port/],
      ['history_days = 1.5', /^HOSTREEVE_HISTORY_DAYS: must be a whole number from 0 to 36500/],
      [
        'log_level = "loud"',
        /^HOSTREEVE_LOG_LEVEL: must be one of trace, debug, info, warn, error, not loud/,
      ],
      ['host = "a host"', /^HOSTREEVE_HOST: must be an address or a host name/],
      ['trusted_proxies = "nowhere"', /^HOSTREEVE_TRUSTED_PROXIES: nowhere is not an address/],
      ['[port]', /^HOSTREEVE_PORT: must be one value, not a table/],
      ['database_url = "mysql://x/panel"', /^HOSTREEVE_DATABASE_URL: must be like postgres:/],
    ] as const)
      assert.throws(
        () => read(text),
        (error) => error instanceof ConfigInvalid && message.test(error.message),
        text,
      )
  })

  test('takes max_websites at the top, in [limits], or from the environment', () => {
    assert.equal(read('max_websites = 3').max_websites, '3')
    assert.equal(read('[limits]\nmax_websites = 0').max_websites, '0')
    assert.equal(read('limits.max_websites = 4').max_websites, '4')
    assert.equal(read('[limits]\nmax_websites = 3', { HOSTREEVE_MAX_WEBSITES: '5' }).max_websites, '5')
    assert.equal(read('limits = 3').max_websites, '')
    for (const text of ['[limits]\nmax_websites = -1', '[limits.max_websites]', 'max_websites = "many"'])
      assert.throws(() => read(text), /HOSTREEVE_MAX_WEBSITES: must be/)
  })

  test('takes names of ranges and addresses of both kinds', () => {
    const config = read('host = "::1"\ntrusted_proxies = "loopback, 10.0.0.0/8, fd00::/8"\n')
    assert.deepEqual([config.host, config.tls], ['::1', 'auto'])
  })
})
