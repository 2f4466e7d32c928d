<?php

// The first lines of a page to which ads lead, before any output. Beside leadback.php of your API; with Composer: vendor/autoload.php.
// Behind a proxy, take scheme, host and address from the headers that it sets.
require __DIR__ . '/leadback.php';

const COOKIES = ['_fbp', '_fbc', '_ttp', '_epik', '_scid', '_rdt_uuid', 'leadback'];
const CLICKED = '/(^|&)(utm_|gad_|(gclid|gbraid|wbraid|fbclid|ttclid|msclkid|li_fat_id|epik|ScCid|twclid|rdt_cid|oppref)=)/i';
const FILE = '/\.(avif|css|gif|ico|jpe?g|js|json|png|svg|txt|webp|woff2?|xml)$/i';
// after a failure, no visitor waits for five seconds
const DOWN = '/leadback-down';

/** What your consent banner has stored. Null: the visitor was not asked. */
function consent(): ?array
{
    return match ($_COOKIE['consent'] ?? '') {
        'granted', 'denied' => ['adUserData' => $_COOKIE['consent'], 'adPersonalization' => $_COOKIE['consent']],
        default => null,
    };
}

/** Whether the request is a visit to a page with a click of an ad or a campaign. */
function isClick(): bool
{
    $purpose = ($_SERVER['HTTP_SEC_PURPOSE'] ?? '') . ($_SERVER['HTTP_PURPOSE'] ?? '');
    return $_SERVER['REQUEST_METHOD'] === 'GET'
        && preg_match(CLICKED, $_SERVER['QUERY_STRING'] ?? '') === 1
        && ($_SERVER['HTTP_SEC_FETCH_DEST'] ?? 'document') === 'document'
        && preg_match('/prefetch|prerender|preview/i', $purpose) !== 1
        && preg_match(FILE, strtok($_SERVER['REQUEST_URI'], '?')) !== 1;
}

/** Keeps the click in the browser of the visitor. Whatever fails, your page is shown; that click is lost. */
function keepClick(): void
{
    $down = sys_get_temp_dir() . DOWN;
    try {
        if (!isClick() || (is_file($down) && filemtime($down) > time() - 5)) {
            return;
        }
        // the visitor waits
        $leadback = new Leadback((string) getenv('LEADBACK_KEY'), (string) getenv('LEADBACK_URL'), timeout: 0.5, retriesMax: 0);
        $lead = $leadback->registerLead([
            'url' => (empty($_SERVER['HTTPS']) ? 'http://' : 'https://') . $_SERVER['HTTP_HOST'] . $_SERVER['REQUEST_URI'],
            'referrer' => $_SERVER['HTTP_REFERER'] ?? null,
            'ip' => $_SERVER['REMOTE_ADDR'],
            'userAgent' => $_SERVER['HTTP_USER_AGENT'] ?? null,
            'cookies' => array_intersect_key($_COOKIE, array_flip(COOKIES)),
            'consent' => consent(),
            'globalPrivacyControl' => ($_SERVER['HTTP_SEC_GPC'] ?? '') === '1',
        ]);
        foreach ($lead['warnings'] as ['code' => $code, 'field' => $field]) {
            error_log("Leadback: $code $field");
        }
        if ($lead['leadReference'] !== null) {
            header("Set-Cookie: {$lead['setCookie']}", false);
        }
    } catch (Throwable $error) {
        error_log('Leadback: ' . $error->getMessage());
        if ($error instanceof LeadbackError && ($error->status === 0 || $error->status >= 500)) {
            @touch($down);
        }
    }
}

keepClick();
?>
<!doctype html>
<title>Mates</title>
<p>When the visitor signs up or buys, send the cookie <code>leadback</code> as <code>leadReference</code>.</p>
