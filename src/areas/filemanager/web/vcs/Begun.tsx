import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../../web/kit/notices.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { type Repository, vcsCalls } from '../calls.ts'
import { type Operation, operationText } from './operations.ts'

interface BegunProps {
  readonly repository: Repository
  readonly operation: Operation
  readonly onEnded: () => void
}

/** A git operation in progress, with the actions that end it. */
export function Begun({ repository, operation, onEnded }: BegunProps) {
  const [isEnding, setEnding] = useState(false)
  const { one, canEnd } = operationText[operation]
  const done = async () => {
    setEnding(false)
    notify(`The ${one} was aborted: all files are as in the last commit.`)
    await readAgain('vcs', 'files', 'trash')
    onEnded()
  }
  return (
    <Alert color="orange" radius={0} title={`A ${one} is in progress`}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {operation === 'merge' && 'Resolve the conflicts and commit, or abort the merge. '}
          {operation !== 'merge' && canEnd && 'Continue it in a shell, or abort it. '}
          {!canEnd && 'Continue or abort it in a shell.'}
        </Text>
        {canEnd && (
          <Button size="xs" variant="default" onClick={() => setEnding(true)}>
            Abort the {one} …
          </Button>
        )}
      </Group>
      {isEnding && (
        <ChangeDialog
          title={`Abort the ${one}`}
          confirmLabel={`Abort the ${one}`}
          call={vcsCalls.discardAll(repository)}
          onClose={() => setEnding(false)}
          onDone={done}
        >
          <Text size="sm">
            Every change that is not committed is discarded. The files are again as in the last commit; new
            ones go to the trash.
          </Text>
        </ChangeDialog>
      )}
    </Alert>
  )
}
