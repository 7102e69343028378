import { Card, Checkbox, Stack, Text, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { User } from '../model.ts'
import { users } from './api.ts'
import { usePermissions, usePermissionSlugs, useSetPermissions } from './queries.ts'

/** The permissions of a user. */
export function Permissions({ user }: { readonly user: User }) {
  const slugs = usePermissionSlugs()
  const held = usePermissions(user.id)
  const error = slugs.error ?? held.error
  return (
    <Card withBorder radius="lg" p="lg">
      <Title order={2} size="h4" mb="md">
        Permissions
      </Title>
      {error && <Failure error={error} />}
      {(slugs.isPending || held.isPending) && <Loading />}
      {user.is_admin && (
        <Text size="sm" c="dimmed" mb="sm">
          A superuser holds every permission.
        </Text>
      )}
      {slugs.data && held.data && (
        <PermissionBoxes key={held.data.join()} user={user} slugs={slugs.data} held={held.data} />
      )}
    </Card>
  )
}

interface PermissionBoxesProps {
  readonly user: User
  readonly slugs: readonly { readonly slug: string; readonly title: string }[]
  readonly held: readonly string[]
}

function PermissionBoxes({ user, slugs, held }: PermissionBoxesProps) {
  const [chosen, setChosen] = useState<string[]>([...held])
  const save = useSetPermissions(user.id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(chosen)
  }
  return (
    <Stack gap="sm" component="form" onSubmit={submit}>
      <Checkbox.Group aria-label="Permissions" value={chosen} onChange={setChosen}>
        <Stack gap="sm">
          {slugs.map(({ slug, title }) => (
            <Checkbox key={slug} value={slug} label={title} disabled={user.is_admin} />
          ))}
        </Stack>
      </Checkbox.Group>
      {save.error && <Failure error={save.error} />}
      {!user.is_admin && (
        <FormButtons
          submitLabel="Save the permissions"
          isSending={save.isPending}
          reviewed={{
            call: users.setPermissions({ params: { uid: user.id }, body: { permissions: chosen } }),
          }}
        />
      )}
    </Stack>
  )
}
