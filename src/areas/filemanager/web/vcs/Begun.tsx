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

/** Something that git began and that is not ended: what it is, and the way out of it. */
export function Begun({ repository, operation, onEnded }: BegunProps) {
  const [isEnding, setEnding] = useState(false)
  const { one, canEnd } = operationText[operation]
  const done = async () => {
    setEnding(false)
    notify(`The ${one} was ended: all is as in the last commit.`)
    await readAgain('vcs', 'files', 'trash')
    onEnded()
  }
  return (
    <Alert color="orange" radius={0} title={`A ${one} was begun and is not ended`}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {operation === 'merge' && 'Resolve what conflicts and commit it, or end the merge without it. '}
          {operation !== 'merge' && canEnd && 'Go on with it in a shell, or end it without what it brought. '}
          {!canEnd && 'Go on with it in a shell, or end it there.'}
        </Text>
        {canEnd && (
          <Button size="xs" variant="default" onClick={() => setEnding(true)}>
            End the {one} …
          </Button>
        )}
      </Group>
      {isEnding && (
        <ChangeDialog
          title={`End the ${one}`}
          confirmLabel={`End the ${one}`}
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
