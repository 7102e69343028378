import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { Webadmin } from '../model.ts'
import { SqldbTabs } from '../../sqldb/web/SqldbTabs.tsx'
import { webadmin } from './api.ts'
import { useWebadmin } from './queries.ts'
import { SignIn } from './SignIn.tsx'

interface Asked {
  readonly title: string
  readonly label: string
  readonly call: Call
}

const installation: Asked = {
  title: 'Install phpMyAdmin',
  label: 'Install',
  call: webadmin.installWebadmin(),
}
const update: Asked = { title: 'Update phpMyAdmin', label: 'Update', call: webadmin.updateWebadmin() }

/** The web admin of the SQL server: its installation, signing in, and its update. */
export function WebadminPage() {
  const { data, error, refetch, isPending } = useWebadmin()
  const [asked, setAsked] = useState<Asked>()
  return (
    <Page title="Web admin" about="phpMyAdmin, a browser interface for the databases of the SQL server.">
      <SqldbTabs />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      <OngoingWork kind="webadmin.install" />
      <OngoingWork kind="webadmin.update" />
      {data && !data.installed && <NotInstalled onInstall={() => setAsked(installation)} />}
      {data?.installed && <Installed state={data} onAsk={setAsked} />}
      {asked && (
        <ChangeDialog
          title={asked.title}
          confirmLabel={asked.label}
          call={asked.call}
          onClose={() => setAsked(undefined)}
          onDone={(reply) => {
            setAsked(undefined)
            notify(textOfReply(reply))
            void readAgain('webadmin', 'jobs')
          }}
        />
      )}
    </Page>
  )
}

interface Reply {
  readonly message?: string
  readonly old_version?: string
  readonly new_version?: string
}

function textOfReply({ message, old_version: former, new_version: version }: Reply): string {
  if (message !== undefined) return message
  return former === version
    ? `phpMyAdmin ${version} is the newest version`
    : `phpMyAdmin ${version} is installed`
}

const NotInstalled = ({ onInstall }: { readonly onInstall: () => void }) => (
  <SectionCard title="phpMyAdmin">
    <Empty
      title="phpMyAdmin is not installed"
      action={
        <Button mt="sm" onClick={onInstall}>
          Install phpMyAdmin
        </Button>
      }
    >
      The panel downloads and verifies it, and serves it below a random path. It is updated every month.
    </Empty>
  </SectionCard>
)

interface InstalledProps {
  readonly state: Webadmin
  readonly onAsk: (asked: Asked) => void
}

function Installed({ state: { version, url, path }, onAsk }: InstalledProps) {
  return (
    <Stack gap="md">
      <SectionCard title={`phpMyAdmin ${version}`}>
        {url === null && <Text size="sm">It is not served. Install it again to serve it.</Text>}
        {url !== null && (
          <Text size="sm" className="anywhere">
            Served at <Code>{url}</Code>. Visitors have to know its path, <Code>{path}</Code>.
          </Text>
        )}
        <Group gap="sm">
          {url !== null && (
            <Button variant="default" onClick={() => onAsk(update)}>
              Update
            </Button>
          )}
          <Button variant="default" onClick={() => onAsk(installation)}>
            Install again
          </Button>
        </Group>
      </SectionCard>
      {url !== null && (
        <SectionCard title="Sign in">
          <SignIn />
        </SectionCard>
      )}
    </Stack>
  )
}
