import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { countClicks } from '../browser/browser.ts'
import { signIn } from '../browser/flows/sign-in.ts'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { assertPublished, installWordPress, openWordPress, publishPost } from './story/newcomer.ts'
import { PanelWindow } from './story/panel-window.ts'
import { followRecovery } from './story/recovery.ts'
import { s3SettingsOf, startS3 } from './story/s3-store.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'
import { recallVisitors, sendVisitors } from './story/visitors.ts'

const isLong = Boolean(process.env['HOSTREEVE_LONG'])
const limitMs = 600_000
const domain = 'letters.example.com'
const copy = 'draft.example.com'
const neighbour = 'bob.example.com'
const storeAddress = '10.77.0.72'
const s3 = s3SettingsOf(storeAddress)
/** Of a newcomer, from the sign-in to a published post. */
const mostClicks = 12
const title = 'A letter from the harbour'
const theme = 'twentytwentythree'

describe(
  'the story of a WordPress',
  { skip: isLong ? false : 'takes some minutes in the long form (HOSTREEVE_LONG=1)' },
  () => {
    let [host, objects, fresh] = [{} as Host, {} as Host, {} as Host]
    let panel: Panel
    let ada: Owner
    let window: PanelWindow
    let [site, bobsSite] = [0, 0]
    before(async () => {
      ;[host, objects] = await Promise.all([
        bootHost('story', { image: 'phpPools', addresses: ['10.77.0.71/24'] }),
        bootHost('objects', { addresses: [`${storeAddress}/24`] }),
      ])
      await startS3(objects, storeAddress)
      panel = await startPanel(host)
      const admin = await SignedIn.as(panel)
      await admin.installNginx()
      await admin.must('POST', '/api/sqldb/install')
      ada = await admin.makeOwner('ada')
      await welcomeBob((await admin.makeOwner('bob')).signedIn)
      window = await PanelWindow.open(panel)
      await signIn(window, ada)
    })
    after(async () => {
      await window?.close()
      for (const each of [host, fresh, objects]) await each.remove?.()
    })

    /** Bob's WordPress, whose page is kept and visited until the host is thrown away. */
    const welcomeBob = async (bob: SignedIn) => {
      const draft = { application: 'wordpress', domain: neighbour, certificate: 'none' }
      const installed = await bob.must('POST', '/api/applications', { ...draft, email: 'bob@example.com' })
      bobsSite = installed.website_id
      const kept = { is_enabled: true, lifetime_seconds: 3600 }
      await bob.must('PATCH', `/api/websites/${bobsSite}/page-cache`, kept)
      await untilKept(neighbour)
      await sendVisitors(host, neighbour, 'Hello world!')
    }
    const untilKept = (name: string) =>
      poll('a page that is kept', limitMs, async () =>
        (await visit(host, name)).headers['x-cache'] === 'HIT' ? true : undefined,
      )
    /** Signs in anew: the story is longer than a session without its browser. */
    const asAdmin = () => SignedIn.as(panel)
    const asAda = () => SignedIn.as(panel, ada.email, ada.password)
    const open = (path: string) => window.page.goto(`${window.baseUrl}${path}`)
    const inHome = (script: string) =>
      host.must([
        ...['setpriv', '--reuid=ada', '--regid=ada', '--clear-groups', '--'],
        ...['env', 'HOME=/home/ada', 'sh', '-ec', `cd; ${script}`],
      ] as [string, ...string[]])
    const query = async (text: string) => (await host.must(['mariadb', '--batch', '-Ne', text])).stdout.trim()
    const database = () => query(`show databases like 'ada\\_%${site}'`)
    const frontOf = async (on: Host) => {
      const { status, text } = await visit(on, domain)
      assert.equal(status, 200, text.slice(0, 500))
      return text
    }
    const emptyCache = async () => (await asAda()).must('POST', `/api/websites/${site}/page-cache/purge`, {})
    const assertPost = (on: Host) => assertPublished(on, domain, title)
    /** Waits in the dialog for the end of a job, and closes it. */
    const ended = async (page: Page) => {
      const dialog = page.getByRole('dialog').last()
      const state = dialog.getByText(/^(?:Succeeded|Failed|Undone|Cancelled)$/)
      await state.waitFor({ timeout: limitMs })
      assert.equal(await state.textContent(), 'Succeeded', (await dialog.textContent()) ?? '')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    /** Confirms the plan that the dialog on top shows. */
    const confirm = async (page: Page, label: string) => {
      await page.getByRole('dialog').getByRole('button', { name: 'Review changes' }).click()
      await page.getByRole('dialog').last().getByRole('button', { name: label, exact: true }).click()
    }

    it('begins with a post with a picture, in at most twelve clicks', async () => {
      const inPanel = await countClicks(window.page)
      const tab = await openWordPress(window, await installWordPress(window, domain, 'Letters'))
      const inWordPress = await countClicks(tab)
      await publishPost(tab, title)
      const made = (await inPanel()) + (await inWordPress())
      assert.ok(made > 10 && made <= mostClicks, `${made} clicks`)
      await tab.close()
      ;({ id: site } = (await (await asAda()).must('GET', `/api/websites?search=${domain}`)).items[0])
      await assertPost(host)
    })

    it('goes on with pages that are kept', async () => {
      await open(`/websites/${site}/page-cache`)
      await window.page.getByRole('switch', { name: 'Keep pages' }).check()
      await window.page.getByRole('button', { name: 'Save', exact: true }).click()
      await window.page.getByText('WordPress empties the cache when something changes').waitFor()
      await untilKept(domain)
      await assertPost(host)
    })

    it('survives an update of the theme that breaks it', async () => {
      const root = `/home/ada/sites/${domain}/public/wp-content/themes`
      await inHome(`mkdir made; cp -rL ${root}/${theme} made/; cd made/${theme}
        sed -i 's/^Version:.*/Version: 99.0/' style.css
        echo '<?php add_theme_support("post-thumbnails"); this_is_not_defined();' >functions.php
        cd ..; zip -qr ~/theme.zip ${theme}; rm -r ~/made`)
      const themeNow = async () => {
        const { themes } = await (await asAda()).must('GET', `/api/wordpress/${site}`)
        return themes.find(({ name }: { readonly name: string }) => name === theme)
      }
      const was = await themeNow()
      assert.equal(was.is_active, true)
      const { page } = window
      await open(`/wordpress/${site}`)
      await page.getByRole('tab', { name: 'Themes' }).click()
      await page.getByRole('button', { name: `From archive: ${was.title}` }).click()
      await page.getByRole('dialog').getByLabel('Archive in the home').fill('theme.zip')
      await confirm(page, 'Update')
      const told = page
        .getByRole('dialog')
        .last()
        .getByText(/answered 500/)
        .first()
      await told.waitFor({ timeout: limitMs })
      assert.deepEqual(await themeNow(), was)
      await poll('the website to answer again', limitMs, async () =>
        (await visit(host, domain)).status === 200 ? true : undefined,
      )
      await emptyCache()
      await assertPost(host)
      const left = await inHome(`ls ${root}/${theme}; ls -A sites`)
      assert.doesNotMatch(left.stdout, /functions\.php|\.hostreeve/)
    })

    it('tries a change in a staging copy, and pushes it', async () => {
      const { page, context } = window
      await open(`/websites/${site}/staging`)
      await page.getByRole('button', { name: 'New staging copy' }).click()
      await page.getByRole('dialog').getByLabel('Domain').fill(copy)
      await confirm(page, 'Make the copy')
      await ended(page)
      const { items } = await (await asAda()).must('GET', '/api/staging')
      const { link } = await (await asAda()).must('POST', `/api/wordpress/${items[0].website_id}/sign-in`, {})
      const tab = await context.newPage()
      await tab.goto(link)
      await tab.waitForURL(`http://${copy}/wp-admin/`)
      await tab.goto(`http://${copy}/wp-admin/options-general.php`)
      await tab.getByLabel('Site Title').fill('Letters and replies')
      await tab.getByRole('button', { name: 'Save Changes' }).click()
      await tab.getByText('Settings saved.').first().waitFor()
      await tab.close()
      assert.match((await visit(host, copy)).text, /Letters and replies/)
      await untilKept(domain)
      assert.doesNotMatch(await frontOf(host), /Letters and replies/)
      await page.getByRole('button', { name: `Push to ${domain}` }).click()
      await confirm(page, 'Push')
      await ended(page)
      const front = await frontOf(host)
      assert.match(front, /Letters and replies/)
      assert.ok(!front.includes(copy))
      await assertPost(host)
    })

    it('brings a lost post back from an export of the database', async () => {
      const { page } = window
      const name = await database()
      await open('/databases')
      await page.getByRole('button', { name: `Export ${name}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click()
      await ended(page)
      const [file = assert.fail('no dump')] = await readdir(join(host.rootPath, 'home/ada/db'))
      await query(`delete from ${name}.wp_posts where post_title = '${title}'`)
      await emptyCache()
      assert.ok(!(await frontOf(host)).includes(title))
      await page.getByRole('button', { name: `Import into ${name}` }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('File or URL').fill(`/home/ada/db/${file}`)
      await dialog.getByRole('button', { name: 'Import', exact: true }).click()
      await ended(page)
      await assertPost(host)
    })

    let passphrase = ''
    let ofPanel = ''
    const stored = () => readdir(join(objects.rootPath, 'srv/s3/backups'), { recursive: true })

    it('is backed up to S3, as the panel is', async () => {
      const admin = await asAdmin()
      await admin.must('POST', '/api/settings/backup', { ...s3, s3_prefix: 'story', remote_enabled: 1 })
      ;({ passphrase } = await admin.must('POST', '/api/settings/backup/generate-key'))
      const { page } = window
      await open(`/websites/${site}/backups`)
      await page.getByRole('button', { name: 'Back up now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Back up', exact: true }).click()
      await ended(page)
      await admin.ask('POST', `/api/websites/${bobsSite}/backups`, {})
      for (const place of [`ada/${domain}/default`, `bob/${neighbour}/default`])
        await poll(`a copy of ${place} on S3`, limitMs, async () =>
          (await stored()).some(
            (name) => name.startsWith(`story/websites/${place}`) && name.endsWith('/manifest.json'),
          )
            ? true
            : undefined,
        )
      const made = await admin.must('POST', '/api/system/backup', {})
      assert.deepEqual([made.remote, made.remote_error], [true, ''])
      ofPanel = made.filename
    })

    it("was no matter of the other owner's visitors, of whom all were answered", async () => {
      const { sent, right, kept, failures } = await recallVisitors(host)
      assert.deepEqual(failures, [])
      assert.equal(right, sent)
      assert.ok(sent > 0 && kept > sent / 2, `${sent} visits, ${kept} answered from the cache`)
    })

    it('loses its host, and goes on at another one', async () => {
      await window.close()
      await host.remove()
      fresh = await bootHost('fresh', { image: 'phpPools', addresses: ['10.77.0.73/24'] })
      panel = await startPanel(fresh)
      const newcomer = await asAdmin()
      await newcomer.must('POST', '/api/settings/backup', { ...s3, s3_prefix: 'story' })
      const variables = { PASSPHRASE: passphrase, TOKEN: newcomer.token, FILE: ofPanel }
      const output = await followRecovery(panel, 0, variables)
      assert.match(output, /"missing_accounts":\["ada","bob"\]/)
      await poll('the panel to serve the restored store', limitMs, async () => {
        const answer = await newcomer.ask('GET', '/api/websites').catch(() => undefined)
        return answer?.status === 401 ? true : undefined // the sessions are those of the backup
      })
      await followRecovery(panel, 1, {})
      const account = ['useradd', '--create-home', '--user-group', '--key', 'HOME_MODE=0711', 'bob'] as const
      await fresh.must(account)
      const admin = await asAdmin()
      await admin.installNginx()
      await admin.must('POST', '/api/sqldb/install')
      const restored = await followRecovery(panel, 2, { DOMAIN: domain, PASSPHRASE: passphrase })
      assert.match(restored, /"running":false.*"failed":0/)
    })

    it('has its post with the picture there, for visitors and for its owner', async () => {
      await assertPost(fresh)
      assert.match(await frontOf(fresh), /Letters and replies/)
      assert.match((await visit(fresh, neighbour)).text, /Hello world!/)
      window = await PanelWindow.open(panel)
      await signIn(window, ada)
      const { page } = window
      await page.goto(`http://${domain}/`)
      await page.getByRole('link', { name: title }).first().click()
      await page.locator('img[src*="/wp-content/uploads/"]').waitFor()
      const width = `document.querySelector('img[src*="/wp-content/uploads/"]').naturalWidth`
      await poll('the picture to be drawn', limitMs, async () =>
        (await page.evaluate<number>(width)) > 0 ? true : undefined,
      )
    })
  },
)
