import {
  bootHost,
  reasonAgainstHosts,
  startPanel,
  sweepDeadRuns,
  type Host,
  type Panel,
} from '../test/hosts/harness/index.ts'
import { forward } from './demo-forward.ts'

// npm run demo: boots a throw-away Debian host, runs the panel of this checkout in it, and publishes a first
// site there. Everything is removed when it ends (Ctrl-C). Needs root on Debian; nothing of this machine is
// changed but the cache of test hosts.
const password = 'a password for the demo'
const domain = 'first.example.com'
const page =
  '<!doctype html><title>It works</title><h1>A first site</h1><p>Published by Hostreeve, served by nginx.</p>\n'

process.exitCode = await main()

async function main(): Promise<number> {
  const reason = await reasonAgainstHosts()
  if (reason !== undefined) {
    process.stderr.write(`demo: ${reason}\n`)
    return 2
  }
  await sweepDeadRuns()
  say('Booting a host (the first time its base is built: one to five minutes) …')
  const host = await bootHost('demo', { image: 'haproxy' })
  const doors: { close(): Promise<void> }[] = []
  try {
    const panel = await startPanel(host, { env: { HOSTREEVE_ADMIN_PASSWORD: password } })
    await publish(panel)
    const [panelDoor, siteDoor] = [await forward(host, 7070, 7070), await forward(host, 80, 8080)]
    doors.push(panelDoor, siteDoor)
    await tell(host, panel, { panelPort: panelDoor.port, sitePort: siteDoor.port })
    await untilInterrupted()
  } finally {
    say('Removing the host …')
    for (const door of doors) await door.close()
    await host.remove()
  }
  return 0
}

/** The ten lines of the README, as requests. */
async function publish(panel: Panel): Promise<void> {
  const token = await panel.signIn(panel.environment.HOSTREEVE_ADMIN_EMAIL, password)
  const ask = async (what: string, method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await panel.request(method, path, {
      token,
      ...(body !== undefined && { body }),
      timeoutMs: 120_000,
    })
    if (answer.status >= 300)
      throw new Error(`${what}: ${method} ${path} answered ${answer.status}: ${answer.text}`)
    return (answer.json() as { data: any }).data
  }
  const { job_id } = await ask('set nginx up', 'POST', '/api/programs/nginx/install')
  const events = await panel.request('GET', `/api/jobs/${job_id}/events`, { token, timeoutMs: 300_000 })
  if (!events.text.includes('"state":"succeeded"'))
    throw new Error(`setting nginx up failed:\n${events.text}`)
  await ask('create a user', 'POST', '/api/users', {
    email: 'ada@example.com',
    password: 'a password for ada',
    fullname: 'Ada',
    username: 'ada',
  })
  await ask('create a site', 'POST', '/api/websites', { domain, username: 'ada', type: 'static' })
  await ask('write its page', 'POST', '/api/filemanager/write', {
    username: 'ada',
    path: `sites/${domain}/public/index.html`,
    content: page,
  })
}

async function tell(
  host: Host,
  panel: Panel,
  { panelPort, sitePort }: { readonly panelPort: number; readonly sitePort: number },
): Promise<void> {
  const { text } = await host.request({ method: 'GET', path: '/', headers: { host: domain } })
  say(`nginx in the host answers for ${domain}:\n  ${text.trim()}`)
  say(`The panel    http://127.0.0.1:${panelPort}   ${panel.environment.HOSTREEVE_ADMIN_EMAIL} / ${password}`)
  say(`The site     curl -H 'Host: ${domain}' http://127.0.0.1:${sitePort}/`)
  say(`Its files    ${host.rootPath}/home/ada/sites/${domain}/public`)
  say('Ctrl-C ends the demo and removes everything.')
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
