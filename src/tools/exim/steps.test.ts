import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { exim } from './index.ts'
import { addressesPath, configPath, credentialsPath, generatedPath } from './layout.ts'
import { type Machine, openMachine } from './testing/machine.ts'

const debian =
  "# by the package\ndc_eximconfig_configtype='local'\ndc_other_hostnames='web1'\ndc_smarthost=''\n"
const relayed = debian
  .replace("'local'", "'smarthost'")
  .replace("smarthost=''", "smarthost='mail.example.com::587'")
const route = 'mail.example.com::587'

const open = (machine: Machine, door: <Thing extends object>(thing: Thing) => Thing = (thing) => thing) =>
  exim.open(machine.host(door), { daemon: machine.daemon }).steps
const config = async ({ files, served }: Machine) => ({
  written: await files.read(configPath),
  generated: await files.read(generatedPath),
  served: served(),
})
const everywhere = (text: string) => ({ written: text, generated: text, served: text })
const skip = process.getuid?.() !== 0 && 'only root can give files to root'

proveStep<Machine>('exim.edit-config', {
  machine: (t) => openMachine(scratchRoot(t), debian),
  open: (machine, door) => open(machine, door).editConfig,
  look: config,
  cases: {
    'a relay': {
      args: { route },
      wanted: everywhere(relayed),
      handEdit: ({ files }) => files.write(configPath, `${debian}dc_minimaldns='true'\n`),
      onTop: everywhere(`${relayed}dc_minimaldns='true'\n`),
      refusedAfter: ({ files }) => files.remove('/usr/sbin/update-exim4.conf'),
    },
    'no relay any more': {
      arrange: async (machine) => {
        const { editConfig } = open(machine)
        await editConfig.act({ route }, stepRun(await editConfig.observe({ route })))
      },
      args: { route: '' },
      wanted: everywhere(relayed.replace("'smarthost'", "'internet'").replace(route, '')),
      callsAsIn: 'a relay',
    },
  },
})

const passwords = '# written by hand\nother.example.com:bob:his\n*:old:password\n'
const secret = { former: 'mail.example.com', host: 'mail.example.com' }
const lookUp = async ({ files }: Machine) => ({
  text: await files.read(credentialsPath),
  mode: (await files.facts(credentialsPath))?.mode,
})

proveStep<Machine>('exim.edit-credentials', {
  skip,
  machine: async (t) => {
    const machine = await openMachine(scratchRoot(t), relayed)
    // as the panel leaves it, whatever it was before
    await machine.files.write(credentialsPath, passwords, { rights: { mode: 0o640 } })
    return machine
  },
  open: (machine, door) => open(machine, door).editCredentials,
  look: lookUp,
  cases: {
    'another sign-in': {
      args: { ...secret, to: { username: 'panel', password: 'se:cret' } },
      wanted: { text: passwords.replace('old:password', 'panel:se:cret'), mode: 0o640 },
      handEdit: ({ files }) => files.write(credentialsPath, `${passwords}more.example.com:a:b\n`),
      onTop: {
        text: `${passwords.replace('old:password', 'panel:se:cret')}more.example.com:a:b\n`,
        mode: 0o640,
      },
    },
    'none any more': {
      args: { ...secret, to: null },
      wanted: { text: passwords.replace('*:old:password\n', ''), mode: 0o640 },
    },
  },
})

proveStep<Machine>('exim.edit-addresses', {
  skip,
  machine: async (t) => {
    const machine = await openMachine(scratchRoot(t), relayed)
    await machine.files.write(addressesPath, '# by the package\nada: ada@example.com\n')
    return machine
  },
  open: (machine, door) => open(machine, door).editAddresses,
  look: ({ files }) => files.read(addressesPath),
  cases: {
    'a first address': {
      args: { account: 'root', address: 'server@example.com' },
      wanted: '# by the package\nada: ada@example.com\nroot:server@example.com\n',
      handEdit: ({ files }) => files.write(addressesPath, 'bob: bob@example.com\n'),
      onTop: 'bob: bob@example.com\nroot:server@example.com\n',
    },
  },
})

proveStep<Machine>('exim.send-test', {
  machine: (t) => openMachine(scratchRoot(t), relayed),
  open: (machine, door) => open(machine, door).sendTest,
  look: ({ sent }) => sent.length,
  withoutHandEdit: 'the step is final',
  cases: {
    'a message': {
      args: { to: 'ada@example.com', messageId: 'one@web1' },
      wanted: 1,
      repeats: 'each act sends a message',
    },
  },
})

const credentialsArgs = (username: string) => ({ ...secret, to: { username, password: 'secret' } })

test(
  'creates the file of credentials so that only Exim can read it, and takes a readable one from others',
  { skip },
  async (t) => {
    const machine = await openMachine(scratchRoot(t), relayed)
    await machine.files.write('/etc/group', 'root:x:0:\nDebian-exim:x:123:\n')
    const act = async (username: string) => {
      const kind = open(machine).editCredentials
      const args = credentialsArgs(username)
      await kind.act(args, stepRun(await kind.observe(args)))
      const { mode, uid, gid } = (await machine.files.facts(credentialsPath))!
      return [mode, uid, gid]
    }
    assert.deepEqual(await act('panel'), [0o640, 0, 123])
    await machine.files.write(credentialsPath, '*:a:b\n', { rights: { mode: 0o664, uid: 1, gid: 1 } })
    assert.deepEqual(await act('panel'), [0o640, 0, 123])
    assert.equal(await machine.files.read(credentialsPath), '*:panel:secret\n')
  },
)

test('shows no password in a plan or an entry', { skip }, async (t) => {
  const machine = await openMachine(scratchRoot(t), relayed)
  await machine.files.write(credentialsPath, passwords)
  const kind = open(machine).editCredentials
  const args = credentialsArgs('panel')
  const shown = JSON.stringify([await kind.plan(args), kind.changed?.(args, await kind.observe(args))])
  assert.match(shown, /\*:panel:••••/)
  assert.doesNotMatch(shown, /secret|password|his/)
  assert.doesNotMatch(shown, /update-exim4/, 'nothing is loaded for it')
})

test('keeps nothing of a configuration that Exim refuses', async (t) => {
  const machine = await openMachine(scratchRoot(t), `${debian}# forbidden\n`)
  const former = await config(machine)
  const { editConfig } = open(machine)
  await assert.rejects(
    editConfig.act({ route }, stepRun(await editConfig.observe({ route }))),
    /Invalid new configfile/,
  )
  assert.deepEqual(await config(machine), former)
})

test('starts a daemon that nobody stopped', async (t) => {
  const machine = await openMachine(scratchRoot(t), debian)
  machine.stop()
  const { editConfig } = open(machine)
  await editConfig.act({ route }, stepRun(await editConfig.observe({ route })))
  assert.deepEqual(await config(machine), everywhere(relayed))
})

test('tells of a test message whose first attempt does not end', async (t) => {
  const machine = await openMachine(scratchRoot(t), relayed)
  machine.fate = ''
  const { sendTest } = exim.open(
    machine.host((thing) => thing),
    { daemon: machine.daemon, firstAttemptMs: 1 },
  ).steps
  const { outcome, message } = await sendTest.act(
    { to: 'ada@example.com', messageId: '1@web1' },
    stepRun(null),
  )
  assert.equal(outcome, 'queued')
  assert.match(message, /in the queue: the other mail server did not answer/)
})

test('quotes the log for a test message that is refused or waits', async (t) => {
  const machine = await openMachine(scratchRoot(t), relayed)
  const { sendTest } = open(machine)
  const act = (messageId: string) => sendTest.act({ to: 'ada@example.com', messageId }, stepRun(null))
  assert.deepEqual(await act('1@web1'), {
    outcome: 'delivered',
    message: 'ada@example.com R=smarthost T=remote_smtp_smarthost C="250 OK"',
  })
  assert.match(machine.sent[0] ?? '', /^To: ada@example\.com\nSubject: /)
  machine.fate = '** ada@example.com R=smarthost: 550 no such user'
  await assert.rejects(act('2@web1'), /550 no such user$/)
  machine.fate = '== ada@example.com R=smarthost defer (111): Connection refused'
  await assert.rejects(act('3@web1'), /Connection refused\. The message is in the queue/)
})
