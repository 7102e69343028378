import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rulesPath } from '../../tools/auditd/layout.ts'
import { crontabPath } from '../../tools/cron/render.ts'
import { apiPath, balancerPath, consolePath, debianLayout } from '../../tools/dnsdist/layout.ts'
import { configurationPath as keepalivedPath } from '../../tools/keepalived/write-configuration.ts'
import { masterPath, poolPath, unitPath } from '../../tools/php/pool.ts'
import { renderConfiguration } from '../../tools/powerdns/configuration.ts'
import { configurationPath as powerdnsPath } from '../../tools/powerdns/layout.ts'
import { settingsPath } from '../../tools/powerdns/settings-file.ts'
import { tunnelPath } from '../../tools/strongswan/configuration.ts'
import { entryPath } from '../../tools/sudo/sudoers.ts'
import { wholeFileAt } from './whole-files.ts'

const master = { version: '8.2', username: 'ada' }

test('each file that a program has of its own steps is known by its path', () => {
  const paths = {
    auditd: [rulesPath],
    cron: [crontabPath(1)],
    dnsdist: [debianLayout.configPath, ...[balancerPath, consolePath, apiPath].map((at) => at(debianLayout))],
    keepalived: [keepalivedPath],
    'php-fpm': [masterPath(master), poolPath({ ...master, id: 1 }), unitPath(master)],
    powerdns: [powerdnsPath, settingsPath('rules'), settingsPath('replication')],
    strongswan: [tunnelPath(1)],
    sudo: [entryPath('ada')],
  }
  for (const [program, those] of Object.entries(paths))
    for (const path of those) assert.equal(wholeFileAt(path)?.program, program, path)
  for (const path of [
    '/etc/keepalived/.hostreeve-candidate.conf',
    '/etc/dnsdist/dnsdist.conf.1',
    '/etc/hosts',
  ])
    assert.equal(wholeFileAt(path), undefined, path)
})

test('the secrets of such a file are not shown', () => {
  const secret = 'aVerySecretPassword'
  const texts = {
    [keepalivedPath]: `  authentication {\n    auth_pass ${secret}\n  }\n`,
    [powerdnsPath]: renderConfiguration({ apiKey: secret, password: secret }),
    [consolePath(debianLayout)]: `controlSocket("127.0.0.1:5199")\nsetKey("${secret}")\n`,
    [apiPath(debianLayout)]: `setWebserverConfig({apiKey="${secret}", acl="127.0.0.0/8"})\n`,
    [tunnelPath(1)]: `secrets {\n    secret = 0s${secret}\n}\n`,
    [poolPath({ ...master, id: 1 })]: `[site-1]\nenv[TOKEN] = "${secret}"\n`,
  }
  for (const [path, text] of Object.entries(texts)) {
    const shown = wholeFileAt(path)?.mask(text) ?? text
    assert.ok(!shown.includes(secret), shown)
    assert.equal(shown.split('\n').length, text.split('\n').length)
  }
})
