import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { readSettings, settings } from './settings.ts'

const edit = { route: 'mail.example.com::587' }
const type = "dc_eximconfig_configtype='smarthost'\n"
const relay = "dc_smarthost='mail.example.com::587'\n"

for (const [title, text, wanted] of [
  ['an empty file', '', type + relay],
  ['a file of Debian', `# a\n${type.replace('smarthost', 'local')}dc_smarthost=''\n`, `# a\n${type}${relay}`],
  ['other settings', `dc_readhost=''\nCFILEMODE='644'\n`, `dc_readhost=''\nCFILEMODE='644'\n${type}${relay}`],
  [
    'the last of two lines',
    `dc_smarthost='a::1'\n${type}dc_smarthost='b::1'\n`,
    `dc_smarthost='a::1'\n${type}${relay}`,
  ],
  ['a last line without an end', `${type}dc_smarthost=a::1`, `${type}${relay.trimEnd()}`],
  [
    'a satellite',
    `dc_eximconfig_configtype="satellite"\n${relay}`,
    `dc_eximconfig_configtype="satellite"\n${relay}`,
  ],
  ['an exported setting', `${type}export dc_smarthost='a::1'\n`, `${type}export ${relay}`],
  [
    'lines that have the value',
    `${type}  dc_smarthost=mail.example.com::587 # ours\n`,
    `${type}  dc_smarthost=mail.example.com::587 # ours\n`,
  ],
] as const) {
  test(`sets the relay in ${title}, and takes it back to the byte`, () => {
    assert.equal(settings.edit(text, edit), wanted)
    const before = {
      part: settings.part(text, edit),
      wanted: settings.part(wanted, edit),
      kept: settings.keep(text, wanted),
      wasServed: true,
    }
    assert.equal(settings.takeBack(wanted, edit, before), text)
  })
}

test('takes its lines back from a file that was edited in the meantime', () => {
  const text = `dc_smarthost=''\n`
  const wanted = settings.edit(text, edit)
  const before = {
    part: text,
    wanted: settings.part(wanted, edit),
    kept: settings.keep(text, wanted),
    wasServed: true,
  }
  assert.equal(settings.takeBack(`mine=1\n${wanted}yours=2\n`, edit, before), `mine=1\n${text}yours=2\n`)
})

const implicit = 'REMOTE_SMTP_SMARTHOST_PROTOCOL=smtps\n'
const onTls = type + relay.replace('587', '465')

test('begins with TLS for a relay on port 465, and not for another one, and takes it back to the byte', () => {
  const toTls = { route: 'mail.example.com::465' }
  const back = (text: string, asked: typeof edit) => {
    const wanted = settings.edit(text, asked)
    const [part, after] = [settings.part(text, asked), settings.part(wanted, asked)]
    const before = { part, wanted: after, kept: settings.keep(text, wanted), wasServed: true }
    assert.equal(settings.takeBack(wanted, asked, before), text)
    return wanted
  }
  assert.equal(back(type + relay, toTls), onTls + implicit)
  assert.equal(back(onTls + implicit, toTls), onTls + implicit)
  assert.equal(
    back(`${onTls}# mine\n${implicit}a=1\n`, edit),
    `${type}${relay}# mine\n${implicit.replace('smtps', 'smtp')}a=1\n`,
  )
  assert.equal(back(onTls, edit), type + relay)
  assert.equal(back(`${onTls}REMOTE_SMTP_SMARTHOST_PROTOCOL='smtps'\n`, toTls), onTls + implicit)
  const byHand = type + relay.replace('587', '10465') + implicit
  assert.equal(back(byHand, { route: 'mail.example.com::10465' }), byHand)
})

test('takes back what an earlier version of the panel kept', () => {
  const former = settings.keep('', '')
  const { REMOTE_SMTP_SMARTHOST_PROTOCOL: _, ...kept } = former
  const before = { part: null, wanted: null, kept, wasServed: true }
  assert.equal(settings.takeBack(type + relay + implicit, edit, before), implicit)
})

test('delivers without a relay for an empty one', () => {
  assert.equal(
    settings.edit(type + relay, { route: '' }),
    "dc_eximconfig_configtype='internet'\ndc_smarthost=''\n",
  )
})

test('reads the value that the shell would have', () => {
  const read = (text: string) => readSettings(text).route
  assert.equal(read(`dc_smarthost="a::25"`), 'a::25')
  assert.equal(read(`dc_smarthost='a::25'\ndc_smarthost=b::26 # c\n`), 'b::26')
  assert.equal(read(`#dc_smarthost='a::25'\n# export dc_smarthost=b::25\n`), '')
  assert.equal(read(`dc_smarthost='a::25'\n  export dc_smarthost="b::26"\n`), 'b::26')
  assert.equal(read('dc_smarthost=$(relay)'), '$(relay)')
})

for (const route of ["a::25'; reboot #", '$(reboot)::25', 'a::25\nx=1', 'a b::25', '`a`::25'])
  test(`never writes ${JSON.stringify(route)} into a file that a shell runs`, () => {
    assert.throws(() => settings.edit('', { route }), Problem)
  })

test('leaves a line that only a shell can evaluate to people', () => {
  for (const line of [
    'dc_smarthost=$RELAY',
    'dc_smarthost="$(relay)"',
    "dc_smarthost='a",
    "dc_smarthost='a''b'",
    'MAIL=1 dc_smarthost=a::25',
    'if true; then dc_smarthost=a::25; fi',
  ])
    assert.throws(() => settings.edit(`${line}\n`, edit), /is not a plain value/)
})
