import { core } from './core-script.ts'

// The script that asks WordPress, in PHP. It reads one JSON object from standard input, whose `mode` is a function below, and prints one
// line of JSON that begins with the mark; whatever else is printed is a message of WordPress or of what it loads.

/** Begins the line that the script prints at its end. */
export const mark = 'hostreeve:'

const begin = `<?php
$in = json_decode(stream_get_contents(STDIN), true, 16, JSON_THROW_ON_ERROR);
function tell(array $outcome): void {
    echo "\\n${mark}", json_encode($outcome, JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), "\\n";
    exit(0);
}
function refuse(string $why): void {
    fwrite(STDERR, $why);
    exit(1);
}
function must($result, string $what) {
    if (is_wp_error($result)) refuse($what . ': ' . implode('; ', array_unique($result->get_error_messages())));
    if ($result === false || $result === null) refuse($what . ': WordPress does not say why it refused');
    return $result;
}
$_SERVER['SERVER_NAME'] = $_SERVER['HTTP_HOST'] = $in['domain'];
$_SERVER['HTTPS'] = $in['https'] ? 'on' : '';
$_SERVER['REQUEST_URI'] = '/';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REMOTE_ADDR'] = '127.0.0.1';
// as its owner, it may write its files
define('FS_METHOD', 'direct');
// no visit may start what is due meanwhile: it would be a request, and there is no network
define('DISABLE_WP_CRON', true);
// neither plugins nor themes: a broken one can still be seen, updated and deleted
if (!$in['loads_all']) define('WP_INSTALLING', true);
require $in['root'] . '/wp-load.php';
// while it holds, transients are neither read nor stored
wp_installing(false);
foreach (['file', 'misc', 'plugin', 'theme', 'update', 'class-wp-upgrader'] as $part) {
    require_once ABSPATH . "wp-admin/includes/$part.php";
}
`

const read = `
function text($value, int $most): string {
    $plain = trim(preg_replace('/\\s+/u', ' ', wp_strip_all_tags(is_scalar($value) ? (string) $value : '')) ?? '');
    return mb_substr(html_entity_decode($plain, ENT_QUOTES | ENT_HTML5, 'UTF-8'), 0, $most);
}
function field($updates, string $name, string $field): ?string {
    $found = is_object($updates) && isset($updates->response) ? ($updates->response[$name] ?? null) : null;
    $value = is_object($found) ? ($found->$field ?? null) : (is_array($found) ? ($found[$field] ?? null) : null);
    return is_string($value) && $value !== '' ? $value : null;
}
function item(string $name, $title, $version, bool $isActive, bool $isNeeded, $updates): array {
    $new = field($updates, $name, 'new_version');
    return [
        'name' => $name, 'title' => text($title, 200) ?: $name, 'version' => text($version, 60),
        'is_active' => $isActive, 'is_needed' => $isNeeded,
        'new_version' => $new === null ? null : text($new, 60), 'package' => field($updates, $name, 'package'),
    ];
}
function offer_in($core): array {
    foreach (is_object($core) ? (array) ($core->updates ?? []) : [] as $offer) {
        if (!is_object($offer) || ($offer->response ?? '') !== 'upgrade') continue;
        $new = text($offer->current ?? '', 60);
        if (!version_compare($new, $GLOBALS['wp_version'], '>')) continue;
        $package = ((array) ($offer->packages ?? []))['full'] ?? $offer->download ?? null;
        return [$new, is_string($package) && $package !== '' ? html_entity_decode($package) : null];
    }
    return [null, null];
}
function read_all(): array {
    $updates = get_site_transient('update_plugins');
    $active = (array) get_option('active_plugins');
    $plugins = [];
    foreach (get_plugins() as $name => $data) {
        $plugins[] = item($name, $data['Name'], $data['Version'], in_array($name, $active, true), false, $updates);
    }
    $updates = get_site_transient('update_themes');
    $themes = [];
    foreach (wp_get_themes(['errors' => null]) as $name => $theme) {
        $isActive = $name === get_option('stylesheet');
        $isNeeded = !$isActive && $name === get_option('template');
        $themes[] = item($name, $theme->get('Name'), $theme->get('Version'), $isActive, $isNeeded, $updates);
    }
    $core = get_site_transient('update_core');
    [$new, $package] = offer_in($core);
    $checked = is_object($core) ? (int) ($core->last_checked ?? 0) : 0;
    return [
        'title' => text(get_option('blogname'), 200), 'version' => text($GLOBALS['wp_version'], 60),
        'new_version' => $new, 'package' => $package, 'checked_at' => $checked > 0 ? gmdate('Y-m-d\\\\TH:i:s.000\\\\Z', $checked) : null,
        'plugins' => array_slice($plugins, 0, 500), 'themes' => array_slice($themes, 0, 200),
        'administrators' => array_map(
            fn ($user) => $user->user_login,
            get_users(['role' => 'administrator', 'orderby' => 'ID', 'fields' => ['user_login'], 'number' => 100]),
        ),
        'no_file_editing' => defined('DISALLOW_FILE_EDIT') && DISALLOW_FILE_EDIT,
        'database' => DB_NAME,
    ];
}
if ($in['mode'] === 'read') tell(read_all());
`

/** WordPress counts the time itself; a mark that is still there afterwards tells that it got no answer. */
const lookForUpdates = `
$checks = ['update_core' => 'wp_version_check', 'update_plugins' => 'wp_update_plugins', 'update_themes' => 'wp_update_themes'];
if ($in['mode'] === 'ask') {
    foreach ($checks as $name => $hook) {
        $known = get_site_transient($name);
        $known = is_object($known) ? $known : new stdClass();
        $known->last_checked = 0;
        $known->hostreeve_asked = 1;
        set_site_transient($name, $known);
        wp_schedule_single_event(time() - 1, $hook, [[]]);
    }
    delete_transient('doing_cron');
    tell(['is_asked' => true]);
}
if ($in['mode'] === 'asked') {
    $left = [];
    $unanswered = [];
    foreach ($checks as $name => $hook) {
        $known = get_site_transient($name);
        if (wp_next_scheduled($hook, [[]]) !== false) $left[] = $hook;
        elseif (is_object($known) && isset($known->hostreeve_asked)) $unanswered[] = $hook;
    }
    tell(['is_due' => $left !== [], 'is_running' => get_transient('doing_cron') !== false, 'unanswered' => $unanswered]);
}
`

const activate = `
if ($in['mode'] === 'state') {
    if ($in['kind'] === 'theme') tell(['state' => (string) get_option('stylesheet')]);
    if (!isset(get_plugins()[$in['name']])) tell(['state' => null]);
    tell(['state' => is_plugin_active($in['name']) ? 'active' : 'inactive']);
}
if ($in['mode'] === 'set_state') {
    if ($in['kind'] === 'theme') {
        $theme = wp_get_theme($in['state']);
        if (!$theme->exists()) refuse("there is no theme {$in['state']}");
        if ($theme->errors() !== false) must($theme->errors(), $in['state']);
        must(validate_theme_requirements($in['state']), $in['state']);
        switch_theme($in['state']);
        tell(['state' => (string) get_option('stylesheet')]);
    }
    if ($in['state'] === 'active') {
        $done = activate_plugin($in['name']);
        if (is_wp_error($done) && $done->get_error_code() !== 'unexpected_output') must($done, $in['name']);
    } else {
        deactivate_plugins([$in['name']]);
    }
    tell(['state' => is_plugin_active($in['name']) ? 'active' : 'inactive']);
}
`

const alter = `
function installed(string $kind, string $name): ?string {
    wp_clean_plugins_cache(false);
    wp_clean_themes_cache(false);
    if ($kind === 'theme') {
        $theme = wp_get_theme($name);
        return $theme->exists() ? text($theme->get('Version'), 60) : null;
    }
    return isset(get_plugins()[$name]) ? text(get_plugins()[$name]['Version'], 60) : null;
}
function update_item(string $kind, string $name, string $package): void {
    $folder = $kind === 'plugin' ? dirname($name) : $name;
    if ($folder === '.') refuse("$name: it has no folder of its own, so that WordPress cannot replace it");
    $skin = new Automatic_Upgrader_Skin();
    $upgrader = $kind === 'plugin' ? new Plugin_Upgrader($skin) : new Theme_Upgrader($skin);
    $upgrader->init();
    $upgrader->upgrade_strings();
    add_filter('upgrader_source_selection', [$upgrader, 'check_package']);
    $check = function ($source) use ($folder) {
        if (is_wp_error($source) || basename($source) === $folder) return $source;
        return new WP_Error('hostreeve', 'the archive has the folder ' . basename($source) . ", and $folder is expected");
    };
    add_filter('upgrader_source_selection', $check, 99);
    $result = $upgrader->run([
        'package' => $package, 'destination' => $kind === 'plugin' ? WP_PLUGIN_DIR : get_theme_root($name),
        'clear_destination' => true, 'clear_working' => true,
        'hook_extra' => [$kind => $name, 'type' => $kind, 'action' => 'update'],
    ]);
    remove_filter('upgrader_source_selection', [$upgrader, 'check_package']);
    remove_filter('upgrader_source_selection', $check, 99);
    if (!$result && !is_wp_error($result)) refuse("$name: " . implode('; ', $skin->get_upgrade_messages()));
    must($result, $name);
    $known = get_site_transient("update_{$kind}s");
    if (is_object($known) && isset($known->response[$name])) {
        unset($known->response[$name]);
        set_site_transient("update_{$kind}s", $known);
    }
}
function delete_item(string $kind, string $name): void {
    if ($kind === 'plugin') {
        if (is_plugin_active($name)) refuse("$name is active");
        must(delete_plugins([$name]), $name);
        return;
    }
    if (in_array($name, [get_option('stylesheet'), get_option('template')], true)) refuse("$name is in use");
    must(delete_theme($name), $name);
}
if ($in['mode'] === 'alter') {
    $versions = [];
    foreach ($in['items'] as ['kind' => $kind, 'name' => $name, 'package' => $package]) {
        if ($kind === 'core') {
            $versions[] = update_wordpress($package);
            continue;
        }
        if ($in['action'] === 'update') update_item($kind, $name, $package);
        else delete_item($kind, $name);
        $version = installed($kind, $name);
        if ($in['action'] === 'update' && $version === null) refuse("$name: the archive does not contain it");
        $versions[] = $version;
    }
    tell(['versions' => $versions]);
}
refuse('unknown mode');
`

export const script = `${begin}${read}${lookForUpdates}${activate}${core}${alter}`

/**
 * The must-use plugin that signs an administrator in by a link. The token comes after `#`, which browsers do not send, and is posted by the page;
 * the file with its digest is beside the document root, and whoever removes it first is signed in.
 */
export const signInPlugin = `<?php
/*
Plugin Name: One-time sign-in of Hostreeve
Description: Signs an administrator in by a link that the panel has made, once and within five minutes.
*/
if (!defined('ABSPATH')) exit;
add_action('init', function () {
    if (!isset($_GET['hostreeve_sign_in'])) return;
    nocache_headers();
    header('Referrer-Policy: no-referrer');
    header('X-Frame-Options: DENY');
    if (($_SERVER['REQUEST_METHOD'] ?? '') !== 'POST') {
        header('Content-Type: text/html; charset=utf-8');
        echo '<!doctype html><meta charset="utf-8"><meta name="robots" content="noindex"><title>Sign in</title>',
            '<form method="post"><input type="hidden" name="token"><noscript>The link needs JavaScript.</noscript></form>',
            '<script>document.forms[0].token.value = location.hash.slice(1);',
            'history.replaceState(null, "", location.pathname + location.search); document.forms[0].submit()</script>';
        exit;
    }
    $file = dirname(ABSPATH) . '/.hostreeve-wordpress/sign-in.json';
    $text = @file_get_contents($file);
    $link = $text === false ? null : json_decode($text, true);
    $token = isset($_POST['token']) && is_string($_POST['token']) ? $_POST['token'] : '';
    $isRight = is_array($link) && hash_equals((string) $link['sha256'], hash('sha256', $token));
    // of two requests, one removes it
    if ($isRight && @unlink($file) && time() < (int) $link['expires']) {
        $user = get_user_by('login', (string) $link['user']);
        if ($user && user_can($user, 'manage_options')) {
            wp_set_auth_cookie($user->ID, false);
            wp_safe_redirect(admin_url());
            exit;
        }
    }
    wp_die('The link was used already, or is too old. Make another one in the panel.', 'Sign in', ['response' => 403]);
}, 1);
`
