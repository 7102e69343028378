import { poll } from '../../core/poll.ts'
import type { WordPresses } from './context.ts'
import { hardeningOf } from './hardening.ts'
import { type Installed, show } from './installations.ts'
import type { Checked, Item, WordPress } from './model.ts'
import { CheckFailed } from './problems.ts'
import type { Read, ReadItem } from './run-script.ts'

/** Reads a WordPress with its plugins and themes, and the updates that it knows. */
export async function readWordPress(
  on: WordPresses,
  installed: Installed,
  signal: AbortSignal,
): Promise<WordPress> {
  const { site, place } = installed
  const read = await on.ask(place, 'read', {}, { signal })
  return {
    ...(await show(on, installed)),
    version: read.version,
    title: read.title,
    php_version: place.version,
    new_version: read.new_version,
    checked_at: read.checked_at,
    plugins: read.plugins.map(shown),
    themes: read.themes.map(shown),
    administrators: read.administrators,
    hardening: hardeningOf(site, read),
  }
}

const shown = ({ name, title, version, is_active, is_needed, new_version }: ReadItem): Item => ({
  ...{ name, title, version, is_active, is_needed, new_version },
})

/** The request ends after a minute. */
const polling = { limitMs: 45_000, everyMs: 1500 }

/** Has WordPress look for updates in its own PHP, which has the network, and returns how many there are. */
export async function lookForUpdates(
  on: WordPresses,
  { place }: Installed,
  signal: AbortSignal,
): Promise<Checked> {
  await on.ask(place, 'ask', {}, { signal })
  const asked = await poll(
    async () => {
      const page = { name: place.domain, isTls: place.isTls, path: '/wp-cron.php' }
      const answer = await on.fetchPage(page, signal)
      if (answer === undefined || answer.status >= 400)
        throw CheckFailed(
          `${place.domain}/wp-cron.php ${answer === undefined ? 'did not answer' : `answered ${answer.status}`}`,
        )
      const state = await on.ask(place, 'asked', {}, { signal })
      return state.is_due || state.is_running ? undefined : state
    },
    { ...polling, signal },
  )
  if (asked === undefined) throw CheckFailed('WordPress is still looking for updates: read it again later')
  if (asked.unanswered.length > 0)
    throw CheckFailed('api.wordpress.org did not answer: this host must reach it by https')
  return countOf(await on.ask(place, 'read', {}, { signal }))
}

const countOf = ({ new_version, plugins, themes }: Read): Checked => ({
  core: new_version,
  plugins: plugins.filter((each) => each.new_version !== null).length,
  themes: themes.filter((each) => each.new_version !== null).length,
})
