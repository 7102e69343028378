import { Code, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { Process } from '../model.ts'
import { processes } from './api.ts'

const graceSeconds = 5

/** Kills a process after its plan was shown: with time to end by itself, or at once. */
export function KillDialog({
  process: { pid, command },
  onClose,
}: {
  readonly process: Process
  readonly onClose: () => void
}) {
  const [grace, setGrace] = useState(String(graceSeconds))
  return (
    <ChangeDialog
      title={`Kill process ${pid}`}
      confirmLabel="Kill"
      isCutOff
      call={processes.killProcess({ params: { pid }, query: { grace: Number(grace) } })}
      onClose={onClose}
      onDone={() => {
        onClose()
        notify(`Process ${pid} has ended.`)
        return readAgain('processes')
      }}
    >
      <Code block className="anywhere" mah={120}>
        {command}
      </Code>
      <Radio.Group label="Signal" value={grace} onChange={setGrace}>
        <Stack gap="xs" mt="xs">
          <Radio
            value={String(graceSeconds)}
            label={`SIGTERM, and SIGKILL if it has not ended after ${graceSeconds} s`}
          />
          <Radio value="0" label="SIGKILL at once" />
        </Stack>
      </Radio.Group>
    </ChangeDialog>
  )
}
