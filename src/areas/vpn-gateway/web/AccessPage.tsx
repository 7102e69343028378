import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CodeEditor } from '../../../web/kit/CodeEditor.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { UnsavedGuard } from '../../../web/kit/UnsavedGuard.tsx'
import type { VpnAcl, VpnAclEdit } from '../acl/model.ts'
import { vpnGateway } from './api.ts'
import { Explain } from './Explain.tsx'
import { done, useAcl } from './queries.ts'
import { VpnFrame } from './VpnFrame.tsx'

/** Who may reach what in the mesh. */
export function AccessPage() {
  const acl = useAcl()
  return (
    <VpnFrame>
      {acl.error && !acl.data && <Failure error={acl.error} onRetry={() => void acl.refetch()} />}
      {acl.isPending && <Loading rows={8} />}
      <Stack gap="lg">
        {acl.data && <Editor first={acl.data} read={async () => (await acl.refetch()).data} />}
        <Explain />
      </Stack>
    </VpnFrame>
  )
}

const textOf = ({ groups, acls }: VpnAcl): string => `${JSON.stringify({ groups, acls }, null, 2)}\n`

interface EditorProps {
  readonly first: VpnAcl
  /** Reads the rules again. */
  readonly read: () => Promise<VpnAcl | undefined>
}

function Editor({ first, read }: EditorProps) {
  const [base, setBase] = useState(textOf(first))
  const [content, setContent] = useState(base)
  const [wanted, setWanted] = useState<VpnAclEdit>()
  const [problem, setProblem] = useState<string>()
  const begin = async () => {
    const fresh = await read()
    if (fresh === undefined) return
    setBase(textOf(fresh))
    setContent(textOf(fresh))
  }
  const review = () => {
    const read_ = parsed(content)
    setProblem(typeof read_ === 'string' ? read_ : undefined)
    if (typeof read_ !== 'string') setWanted(read_)
  }
  const close = () => setWanted(undefined)
  return (
    <SectionCard title="Access rules">
      <UnsavedGuard isDirty={content !== base} />
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed">
            What no rule accepts is refused. Without groups and rules, everything is allowed.
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={() => setWanted({ groups: {}, acls: [] })}>
              Allow everything
            </Button>
            <Button disabled={content === base} onClick={review}>
              Review changes
            </Button>
          </Group>
        </Group>
        {problem !== undefined && (
          <Alert color="red" title="Not JSON" role="alert">
            {problem}
          </Alert>
        )}
        <CodeEditor label="Access rules" value={content} onChange={setContent} />
      </Stack>
      {wanted && (
        <ChangeDialog
          title="Set the access rules"
          confirmLabel="Apply"
          isCutOff
          call={vpnGateway.setVpnAcl({ body: wanted })}
          onClose={close}
          onDone={async () => {
            await done(close, 'The access rules are in effect.')
            await begin()
          }}
        />
      )}
    </SectionCard>
  )
}

/** The rules of a text, or what is wrong with it; the panel looks at the rest. */
function parsed(text: string): VpnAclEdit | string {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : 'It must be an object with groups and acls.'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
