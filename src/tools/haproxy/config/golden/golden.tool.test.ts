import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { run } from '../../../../host/run.ts'
import { parseConfig, writeConfig } from '../config.ts'
import { editText } from '../edits.ts'
import { cases } from './cases.ts'
import { haproxySkipReason } from '../../testing/scratch.ts'

const here = new URL('.', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, here), 'utf8')

test('every edit produces its golden file byte for byte', () => {
  assert.equal(cases.length, 130)
  for (const { name, base, edit } of cases)
    assert.equal(editText(read(`base/${base}.cfg`), edit), read(`edited/${name}.cfg`), name)
})

test('no golden file is unused, and each is unchanged by parsing and writing', () => {
  assert.deepEqual(
    readdirSync(new URL('edited/', here)).toSorted(),
    cases.map(({ name }) => `${name}.cfg`).toSorted(),
  )
  for (const { name } of cases)
    assert.equal(writeConfig(parseConfig(read(`edited/${name}.cfg`))), read(`edited/${name}.cfg`), name)
})

test('an edit leaves every line of the other sections unchanged', () => {
  for (const { name, base, edit } of cases) {
    const changed = new Set(read(`edited/${name}.cfg`).split('\n'))
    const lost = read(`base/${base}.cfg`)
      .split('\n')
      .filter((line) => !changed.has(line))
    if (
      edit.do === 'add-backend' ||
      edit.do === 'add-server' ||
      edit.do === 'duplicate-backend' ||
      edit.do === 'add-frontend'
    )
      assert.deepEqual(lost, [], name)
    if (edit.do === 'replace-server' || edit.do === 'remove-server')
      assert.ok(lost.length <= 1 || base === 'no-end', name)
  }
})

test('HAProxy accepts every golden file', { skip: haproxySkipReason(), timeout: 300_000 }, async (t) => {
  const directory = mkdtempSync(`${tmpdir()}/hostreeve-haproxy-`)
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const pem = await run([
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    '/CN=example.com',
    '-days',
    '2',
    '-keyout',
    '-',
  ])
  writeFileSync(`${directory}/example.com.pem`, pem.stdout, { mode: 0o600 })
  const check = async ({ name }: { readonly name: string }) => {
    const path = `${directory}/${name}.cfg`
    writeFileSync(
      path,
      read(`edited/${name}.cfg`)
        .replaceAll('/etc/haproxy/certs', directory)
        .replaceAll('/etc/ssl/certs/ca-certificates.crt', `${directory}/example.com.pem`),
    )
    const { code, stdout, stderr } = await run(['haproxy', '-c', '-f', path])
    // without its only frontend, a configuration is valid although there is nothing to start
    const isAccepted =
      code === 0 || (code === 2 && /no error but will not start \(no listener\)/.test(stdout + stderr))
    return isAccepted ? [] : [`${name}: ${stderr}`]
  }
  const refused: string[] = []
  for (let at = 0; at < cases.length; at += 4)
    refused.push(...(await Promise.all(cases.slice(at, at + 4).map(check))).flat())
  assert.deepEqual(refused, [])
})
