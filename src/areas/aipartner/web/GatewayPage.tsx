import { NotPermitted, Loading } from '../../../web/kit/states.tsx'
import { useMe } from '../../auth/web/queries.ts'
import { Bot } from './Bot.tsx'
import { Gateway } from './Gateway.tsx'
import { PartnerFrame } from './PartnerFrame.tsx'

/** The gateway that runs on this host, and the bot at the messenger; for administrators. */
export function GatewayPage() {
  const { data: me } = useMe()
  const isAdmitted = me?.is_admin === true || me?.permissions.includes('administrative_operations') === true
  return (
    <PartnerFrame about="A program of the AI partner on this host, and its bot at a messenger.">
      {me === undefined && <Loading />}
      {me && !isAdmitted && (
        <NotPermitted>You need the permission to administer the host. Ask an administrator.</NotPermitted>
      )}
      {isAdmitted && (
        <>
          <Gateway />
          <Bot />
        </>
      )}
    </PartnerFrame>
  )
}
