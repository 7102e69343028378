import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMemo } from 'react'
import Type from 'typebox'
import { SignIn as SignInBody } from '../../areas/auth/model.ts'
import { auth } from '../../areas/auth/web/api.ts'
import { run } from '../client.ts'
import { SchemaForm } from '../kit/SchemaForm.tsx'
import { queryClient } from '../queries.ts'
import { enter } from '../session.ts'
import { Mark } from './Mark.tsx'

const text = { email: { label: 'E-mail', hint: '' }, password: { label: 'Password' } }
const autoComplete = { email: 'username', password: 'current-password' }

/** The sign-in form. The refresh token stays in a cookie that no script can read. */
export function SignIn() {
  useDocumentTitle('Sign in · Hostreeve')
  const schema = useMemo(
    () => Type.Object({ email: SignInBody.properties.email, password: SignInBody.properties.password }),
    [],
  )
  const signIn = async (body: { email: string; password: string }) => {
    const tokens = await run(auth.signIn({ body: { ...body, cookie: true } }))
    queryClient.clear()
    enter(tokens)
  }
  return (
    <main className="sign-in">
      <Stack gap="lg">
        <Group justify="center" gap="sm">
          <Mark size={36} />
          <Title order={1} size="h2">
            Hostreeve
          </Title>
        </Group>
        <Paper withBorder shadow="sm" radius="lg" p="xl">
          <SchemaForm
            schema={schema}
            text={text}
            autoComplete={autoComplete}
            submitLabel="Sign in"
            onSubmit={signIn}
            isWide
          />
        </Paper>
        <Text size="xs" c="dimmed" ta="center">
          {location.host}
        </Text>
      </Stack>
    </main>
  )
}
