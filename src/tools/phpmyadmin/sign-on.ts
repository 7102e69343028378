import { signOnScript, tokensDirectory } from './layout.ts'

/** The name of the session by which the script tells phpMyAdmin who signed in. */
export const sessionName = 'hostreeve_signon'

/** How long a one-time file is good for, in seconds. */
export const tokenSeconds = 60

/** The content of a one-time file. */
export interface SignOn {
  readonly user: string
  readonly password: string
  /** In seconds since 1970. */
  readonly expires: number
}

/**
 * Renders the script that phpMyAdmin's `auth_type` `signon` asks for. It renames the one-time file before it
 * reads it: of two requests with one token, one finds no file.
 */
export const renderSignOn = (): string => `<?php
// Written by Hostreeve.
declare(strict_types=1);

header('Cache-Control: no-store');
header('Referrer-Policy: no-referrer');

function refuse(): void
{
    http_response_code(403);
    header('Content-Type: text/plain; charset=utf-8');
    exit("This link was used before or has expired. Open the web admin from the panel again.\\n");
}

$token = $_GET['token'] ?? '';
if (!is_string($token) || preg_match('/^[0-9a-f]{64}$/D', $token) !== 1) {
    refuse();
}
$file = '${tokensDirectory}/' . hash('sha256', $token);
$taken = $file . '.taken';
if (!@rename($file, $taken)) {
    refuse();
}
$content = file_get_contents($taken);
unlink($taken);
$signOn = json_decode((string) $content, true);
if (!is_array($signOn) || $signOn['expires'] < time()) {
    refuse();
}
session_set_cookie_params([
    'path' => dirname($_SERVER['SCRIPT_NAME']) . '/',
    'secure' => true,
    'httponly' => true,
    'samesite' => 'Lax',
]);
session_name('${sessionName}');
session_start();
session_regenerate_id(true);
$_SESSION['PMA_single_signon_user'] = $signOn['user'];
$_SESSION['PMA_single_signon_password'] = $signOn['password'];
$_SESSION['PMA_single_signon_host'] = 'localhost';
session_write_close();
header('Location: ./index.php', true, 303);
`

/** The address at which a browser signs in, below that of phpMyAdmin. */
export const signOnAddress = (token: string): string => `${signOnScript}?token=${token}`
