import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))
const pinged = '72 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=0.045 ms'
const captured = '2026-11-28 00:00:01.123456 IP 10.0.0.1.4321 > 10.0.0.2.80: Flags [S], seq 1, length 0\n'

describe('network tools in a browser', () => {
  test('show the output of a program, and the packets of a capture, which are downloaded', async (t) => {
    const panel = await openTestPanel({
      addresses: { resolve: async () => ['192.0.2.7'] },
      scripts: [
        (argv, { onOutput }) => {
          if (argv.includes('tcpdump') && !argv.includes('-d')) {
            writeFileSync(argv[argv.indexOf('-w') + 1] ?? '', 'the packets')
            void onOutput?.(Buffer.from(captured))
            return {}
          }
          if (argv.includes('ping')) void onOutput?.(Buffer.from(`PING 192.0.2.7\n${pinged}\n`))
          return argv.includes('ping') || argv.includes('tcpdump') ? {} : undefined
        },
      ],
    })
    t.after(() => panel.close())
    mkdirSync(`${panel.root}/sys/class/net/eth0`, { recursive: true })
    await panel.start()
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)

    await page.goto(`${web.baseUrl}/nettools`)
    await page.getByRole('combobox', { name: 'Host', exact: true }).fill('example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('log', { name: 'Output' }).getByText(pinged).waitFor()
    await page.getByText('Ended', { exact: true }).waitFor()
    await page.locator('datalist option', { hasText: 'example.com' }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Clear history: Host' }).click()
    await page.locator('datalist option', { hasText: 'example.com' }).waitFor({ state: 'detached' })

    await page.getByLabel('Filter').fill('tcp port 80')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('cell', { name: '10.0.0.2 port 80' }).waitFor()
    await assertSound(page, 'network tools', ['light, desktop', 'dark, phone'])
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download for Wireshark' }).click()
    const download = await downloading
    assert.equal(download.suggestedFilename(), 'capture.pcap')
    assert.equal(readFileSync((await download.path()) ?? '', 'utf8'), 'the packets')
    assert.deepEqual(complaints, [])
  })
})
