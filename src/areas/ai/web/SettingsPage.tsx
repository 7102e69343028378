import { Stack } from '@mantine/core'
import { AdvancedCard } from './AdvancedCard.tsx'
import { AssistantFrame } from './AssistantFrame.tsx'
import { ConfigCard } from './ConfigCard.tsx'
import { CrontabCard } from './CrontabCard.tsx'
import { KeysCard } from './KeysCard.tsx'

/** The keys, the configuration, the crontab and the life cycle of the assistant. */
export const SettingsPage = () => (
  <AssistantFrame>
    {(status) => (
      <Stack gap="lg">
        <KeysCard />
        <ConfigCard />
        <CrontabCard />
        <AdvancedCard status={status} />
      </Stack>
    )}
  </AssistantFrame>
)
