import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isReported, parseReport, sourcesOf, typeOf, writtenValue } from './directives.ts'

describe('a directive of php.ini', () => {
  it('is read from the report of PHP', () => {
    const found = parseReport(
      'phpinfo()\nPHP Version => 8.2.36\n\nDirective => Local Value => Master Value\nmemory_limit => 1M => 128M\n' +
        'disable_functions => no value => no value\nodd => a => b => c\n',
    )
    assert.deepEqual(
      [...found],
      [
        ['memory_limit', '128M'],
        ['disable_functions', ''],
        ['odd', 'c'],
      ],
    )
  })

  it('has the type of the value that is built in', () => {
    const valid = (name: string, builtIn: string, values: readonly string[]) =>
      values.filter((value) => typeOf(name, builtIn).isValid(value))
    assert.deepEqual(valid('allow_url_fopen', 'On', ['On', 'off', '1', 'maybe', '']), ['On', 'off', '1'])
    assert.deepEqual(valid('memory_limit', '128M', ['256M', '-1', '1G', '12X', 'On']), ['256M', '-1', '1G'])
    assert.deepEqual(valid('precision', '14', ['17', '-1', 'many']), ['17', '-1'])
    assert.deepEqual(valid('session.use_strict_mode', '0', ['1', 'On', 'strict']), ['1', 'On'])
    assert.deepEqual(valid('error_reporting', '', ['E_ALL & ~E_DEPRECATED', '32767', 'E_ALL; x', 'all']), [
      'E_ALL & ~E_DEPRECATED',
      '32767',
    ])
    assert.deepEqual(valid('date.timezone', 'UTC', ['Europe/Berlin', 'UTC', 'Mars/Base', '+02:00', '']), [
      'Europe/Berlin',
      'UTC',
    ])
    assert.deepEqual(valid('user_agent', '', ['anything at all']), ['anything at all'])
  })

  it('is written so that PHP reads what was meant', () => {
    assert.equal(writtenValue('memory_limit', '256M'), '256M')
    assert.equal(writtenValue('user_agent', 'a b'), '"a b"')
    assert.equal(writtenValue('error_reporting', 'E_ALL & ~E_NOTICE'), 'E_ALL & ~E_NOTICE')
    for (const value of ['a\nb', 'a"b', 'a;b', 'a\\b', '${HOME}', '{a', 'a\0'])
      assert.throws(() => writtenValue('user_agent', value), /cannot represent/)
  })

  it('may be reported in another form', () => {
    assert.ok(isReported('allow_url_fopen', '1', 'On'))
    assert.ok(isReported('allow_url_fopen', 'off', ''))
    assert.ok(isReported('error_reporting', 'E_ALL', '32767'))
    assert.ok(!isReported('memory_limit', '256M', '128M'))
  })

  it('comes from the file that PHP reads last', () => {
    const found = sourcesOf([
      { path: 'php.ini', text: 'a = 1\nb = 1\n' },
      { path: 'conf.d/20-x.ini', text: 'b = 2\n[HOST=c]\na = 3\n' },
    ])
    assert.deepEqual(found.get('a'), { path: 'php.ini', written: '1' })
    assert.deepEqual(found.get('b'), { path: 'conf.d/20-x.ini', written: '2' })
  })
})
