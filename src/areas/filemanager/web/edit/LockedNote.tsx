import { Alert, Button, Group, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { readAgain } from '../../../../web/queries.ts'
import { textOf } from '../../../../web/wire.ts'
import { calls, carryOut } from '../calls.ts'
import type { Whose } from '../queries.ts'

interface LockedNoteProps {
  readonly whose: Whose
  readonly path: string
}

/** Says that a file is locked, and offers to unlock it. */
export function LockedNote({ whose, path }: LockedNoteProps) {
  const [failure, setFailure] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const unlock = async () => {
    setAsking(true)
    await carryOut(calls.lock(whose, path, false))
      .then(() => readAgain('file')) // unlocking changes the etag
      .catch((error: unknown) => setFailure(textOf(error)))
    setAsking(false)
  }
  return (
    <Alert color="gray" icon={<IconLock aria-hidden />} title="This file is locked" mb="md">
      <Group justify="space-between" gap="xs">
        <Text
          size="sm"
          className="anywhere"
          {...(failure !== undefined && { role: 'alert', c: 'var(--mantine-color-error)' })}
        >
          {failure ?? 'It cannot be written, renamed or deleted until it is unlocked.'}
        </Text>
        <Button size="xs" variant="default" loading={isAsking} onClick={() => void unlock()}>
          Unlock
        </Button>
      </Group>
    </Alert>
  )
}
