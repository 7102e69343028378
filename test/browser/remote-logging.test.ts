import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scriptPackages } from '../../src/host/testing/scripted-host.ts'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { rulePath } from '../../src/tools/log-forwarding/layout.ts'
import { scriptRsyslogd } from '../../src/tools/log-forwarding/testing/stand-in.ts'
import { assertSound } from './browser.ts'
import { openHostPanel } from './host-panel.ts'

const journal = [
  'Accepted publickey for root from 192.0.2.1 port 4711 ssh2: ED25519 SHA256:x',
  'Failed password for invalid user bob from 2001:db8::1 port 4711 ssh2',
].map((message, index) =>
  JSON.stringify({ MESSAGE: message, _UID: '0', __REALTIME_TIMESTAMP: `${1_700_000_000 - index}000000` }),
)
const commands = [
  'type=SYSCALL msg=audit(1700000011.000:11): syscall=59 auid=0 ses=3 key="hostreeve_ssh"',
  'type=EXECVE msg=audit(1700000011.000:11): argc=2 a0="systemctl" a1="reboot"',
].join('\n')

/** sshd, its journal, and a kernel that records commands. */
const audited: Script = ([program, ...args]) => {
  if (program === 'auditctl') return { stdout: args[0] === '-s' ? 'enabled 1\n' : 'hostreeve_ssh' }
  if (program === 'augenrules') return {}
  if (program === 'journalctl') return args.includes('_UID=0') ? { stdout: journal.join('\n') } : {}
  if (program === 'tail') return { stdout: commands }
  return program === 'sshd' ? { stdout: 'loglevel verbose\n' } : undefined
}

describe('remote logging and the SSH audit in a browser', () => {
  test('are set after a look at the plan, and list what was recorded', async (t) => {
    const installed = new Map([['auditd', '1:3.0.9-1']])
    const scripts = [audited, scriptRsyslogd(), scriptPackages(installed)]
    const { panel, page, complaints, dialog, onPage, inDialog, openTab } = await openHostPanel(t, scripts)
    const { files } = panel.host
    for (const path of ['/etc/rsyslog.d', '/etc/audit/rules.d', '/etc/ssh/sshd_config.d', '/run'])
      await files.makeDirectory(path)
    await files.write('/etc/ssh/sshd_config', 'Include /etc/ssh/sshd_config.d/*.conf\n')
    await files.write('/etc/passwd', 'root:x:0:0::/root:/bin/bash\n')

    await openTab('Remote logging')
    await page.getByText('rsyslog is not installed').first().waitFor()
    await page.getByText('Lines are sent to no other server.').waitFor()
    for (const name of ['rsyslog', 'rsyslog-gnutls']) installed.set(name, '8.2302.0-1')
    await onPage.press('Change the server')
    await dialog.getByRole('switch', { name: 'Send the lines' }).check()
    await inDialog.fill('Server', '::')
    await inDialog.press('Review changes')
    await dialog.getByText('must be a host name or the address of one server').waitFor()
    await inDialog.fill('Server', 'logs.example.com')
    await dialog.getByLabel('Protocol').selectOption('tls')
    await dialog.getByRole('textbox', { name: 'Certificate authority' }).waitFor()
    await assertSound(page, 'the server of remote logging', ['light, desktop', 'dark, phone'])
    await inDialog.press('Review changes')
    await dialog.getByText('StreamDriver="gtls"').first().waitFor()
    await inDialog.press('Save')
    await page.getByText('Lines are sent to logs.example.com on port 6514.').waitFor()
    await page.getByText('rsyslog does not run').first().waitFor()
    await assertSound(page, 'remote logging', ['light, desktop', 'dark, phone'])

    await openTab('SSH audit')
    await page.getByText('sshd logs sign-ins only.').waitFor()
    await onPage.press('Start the audit')
    await dialog.getByText('Let sshd log each session').first().waitFor()
    await inDialog.press('Start the audit')
    await page.getByText('Commands are recorded.').waitFor()
    const events = page.getByRole('table', { name: 'Recorded events' })
    await events.getByText('systemctl reboot').waitFor()
    await events.getByText('2001:db8::1').waitFor()
    await assertSound(page, 'SSH audit', ['light, desktop', 'dark, phone'])
    await page.getByLabel('Events shown').selectOption('Failed sign-in')
    await events.getByText('systemctl reboot').waitFor({ state: 'detached' })
    await events.getByText('bob').waitFor()
    await onPage.press('Send to a server')
    await dialog.getByRole('switch', { name: 'Send the lines' }).check()
    await inDialog.press('Review changes')
    await inDialog.press('Save')
    await page.getByText('The lines are sent to logs.example.com.').waitFor()
    assert.match((await files.read(rulePath('ssh-audit'))) ?? '', /target="logs\.example\.com" port="6514"/)
    assert.deepEqual(complaints, [])
  })
})
