import { Button, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionTabs } from '../../../web/kit/SectionTabs.tsx'
import { Empty, Loading } from '../../../web/kit/states.tsx'
import { useMe } from '../../auth/web/queries.ts'
import type { Wanted } from './connection.ts'
import { storedTabs, storeTabs, type Tab, withTab } from './tabs.ts'

const TerminalView = lazy(() =>
  import('./TerminalView.tsx').then(({ TerminalView: default_ }) => ({ default: default_ })),
)

/** Terminals in tabs; they continue while the page is loaded again. */
export function TerminalPage() {
  const me = useMe()
  const { uid } = useSearch({ strict: false }) as { readonly uid?: number }
  return (
    <Page
      title="Terminal"
      about="A shell on this host, in your name. What is opened here is in the activity."
    >
      {me.data ? <Terminals me={me.data} uid={uid === undefined ? undefined : Number(uid)} /> : <Loading />}
    </Page>
  )
}

interface Me {
  readonly id: number
  readonly is_admin: boolean
  readonly username: string | null
}

interface TerminalsProps {
  readonly me: Me
  /** The user whose terminal a link asks for. */
  readonly uid: number | undefined
}

function Terminals({ me, uid }: TerminalsProps) {
  const [tabs, setTabs] = useState(() => firstTabs(me, uid))
  const [shown, setShown] = useState(() => tabs.at(-1)?.key)
  const [account, setAccount] = useState(me.username ?? 'root')
  useEffect(() => storeTabs(tabs), [tabs])
  if (!me.is_admin && me.username === null)
    return <Empty title="You have no Linux account">Ask an administrator to add one to your user.</Empty>
  const add = () => {
    const next = withTab(tabs, wantedBy(me, account), me.is_admin ? account : (me.username ?? ''))
    setTabs(next)
    setShown(next.at(-1)?.key)
  }
  const close = (key: number) => {
    const left = tabs.filter((tab) => tab.key !== key)
    setTabs(left)
    setShown(left.at(-1)?.key)
  }
  const setTerminal = (key: number, terminal: string) =>
    setTabs((all) => all.map((tab) => (tab.key === key ? { ...tab, terminal } : tab)))
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
        style={{ display: 'flex', gap: 8, alignItems: 'flex-end' }}
      >
        {me.is_admin && (
          <TextInput
            label="Linux account"
            value={account}
            onChange={(event) => setAccount(event.currentTarget.value)}
            required
          />
        )}
        <Button type="submit" style={{ flexShrink: 0 }}>
          Open a terminal
        </Button>
      </form>
      {tabs.length > 0 && (
        <SectionTabs
          label="Terminals"
          shown={String(shown)}
          onShow={(key) => setShown(Number(key))}
          tabs={tabs.map((tab) => ({
            name: String(tab.key),
            label: tab.label,
            isKept: true,
            content: (
              <Suspense fallback={<Loading rows={6} />}>
                <TerminalView
                  tab={tab}
                  isShown={tab.key === shown}
                  onOpened={(terminal) => setTerminal(tab.key, terminal)}
                  onClose={() => close(tab.key)}
                />
              </Suspense>
            ),
          }))}
        />
      )}
    </>
  )
}

/** The tabs of before, and the one that a link asks for. */
function firstTabs({ id }: Me, uid: number | undefined): readonly Tab[] {
  const stored = storedTabs()
  if (uid === undefined || stored.some((tab) => tab.uid === uid && uid !== id)) return stored
  return withTab(stored, { uid }, `User ${uid}`)
}

const wantedBy = (me: Me, account: string): Wanted =>
  me.is_admin && account !== me.username ? { uid: me.id, username: account } : { uid: me.id }
