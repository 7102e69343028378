import { Alert, Code, Group, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { settingGroups } from '../definition.ts'
import type { PanelSettings } from '../model.ts'
import { SettingDialog, type Asking } from './SettingDialog.tsx'
import { SettingGroup } from './SettingGroup.tsx'
import { SettingsTabs } from './SettingsTabs.tsx'
import { usePanelSettings } from './queries.ts'

/** Every setting of the panel with its value and source, and the forms that change them. */
export function SettingsPage() {
  const { data, error, refetch, isPending } = usePanelSettings()
  const about = data && (
    <>
      The environment takes precedence, then <Code>{data.file}</Code>, then the defaults.
    </>
  )
  return (
    <Page title="Settings" about={about ?? 'The settings of the panel.'}>
      <SettingsTabs />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && <PanelSettingsView all={data} />}
    </Page>
  )
}

function PanelSettingsView({ all }: { readonly all: PanelSettings }) {
  const [asking, setAsking] = useState<Asking>()
  const pending = all.settings.filter(({ name }) => all.restart_needed.includes(name))
  return (
    <Stack gap="xl">
      {pending.length > 0 && (
        <Alert color="orange" icon={<IconRefresh aria-hidden />} title="A restart is needed">
          <Text size="sm">
            The panel uses the new values once it is restarted: {pending.map(({ title }) => title).join(', ')}
            .
          </Text>
          <Group mt="xs">
            <Code>systemctl restart hostreeve</Code>
          </Group>
        </Alert>
      )}
      {settingGroups.map((group) => (
        <SettingGroup key={group} group={group} all={all.settings} onAsk={setAsking} />
      ))}
      {asking && <SettingDialog asking={asking} onClose={() => setAsking(undefined)} />}
    </Stack>
  )
}
