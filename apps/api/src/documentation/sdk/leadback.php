<?php

/**
 * Leadback for PHP 8.1 and newer with the curl extension, in one file without other dependencies.
 *
 *     require 'leadback.php';
 *
 *     $leadback = new Leadback(getenv('LEADBACK_KEY'), 'https://api.example.com/api/v1');
 *     $leadback->registerClient(['leadReference' => $serviceId, 'externalReference' => 'customer-1042']);
 *     $leadback->registerConversion([
 *         'clientExternalReference' => 'customer-1042',
 *         'conversionExternalReference' => 'order-8731',
 *         'amount' => 149.9,
 *         'currency' => 'USD',
 *     ]);
 *
 * Inputs and results are arrays with the field names of the API; see /docs of your API. Results of what is registered have
 * 'warnings', a list of ['code', 'field']: what was accepted, but not as sent. With a test key, 'advice' says it in words. Every call retries by itself if
 * there is no response or a temporary error, and is safe to repeat. It throws a LeadbackError if the API refuses it, or
 * after the last retry.
 *
 * License: MIT
 */

declare(strict_types=1);

/** A request that failed after all retries, or a webhook that is not genuine. Contains no secret. */
final class LeadbackError extends RuntimeException
{
    /**
     * @param int $status The HTTP status; 0 if there was no response.
     * @param string $errorCode The header Leadback-Error, or if the API sent none: no-response and timeout (the request
     *     may have succeeded), unexpected-response (from something else than the API), webhook-invalid, webhook-expired.
     * @param string|null $requestId The x-request-id of the response, for support.
     */
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $message,
        public readonly ?string $requestId = null,
    ) {
        parent::__construct($message);
    }
}

/** The API of one account and mode (live or test, as the key says). */
final class Leadback
{
    private const FIRST_PAUSE = 0.5;
    private const PAUSE_MAX = 8.0;
    // a longer Retry-After is not waited for: the error arrives at once, and a later job can retry
    private const RETRY_AFTER_MAX = 60.0;
    // limits of one request of the API
    private const ITEMS_MAX = 500;
    private const BYTES_MAX = 1024 * 1024;
    private const WEBHOOK_TOLERANCE = 5 * 60;

    private readonly string $apiKey;
    private readonly string $baseUrl;

    /**
     * @param string $baseUrl With /api/v1.
     * @param float $timeout Longest duration of one attempt, in seconds.
     * @param int $retriesMax Retries after the first attempt.
     */
    public function __construct(
        #[SensitiveParameter] string $apiKey,
        string $baseUrl,
        private readonly float $timeout = 10.0,
        private readonly int $retriesMax = 5,
    ) {
        $this->apiKey = self::parseApiKey($apiKey);
        $this->baseUrl = self::parseBaseUrl($baseUrl);
        if ($timeout <= 0) {
            throw new InvalidArgumentException('timeout: expected a number above 0');
        }
        if ($retriesMax < 0) {
            throw new InvalidArgumentException('retriesMax: expected a number from 0');
        }
    }

    /** Keeps the key out of var_dump and logs. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /** Confirms that the key is valid and active. */
    public function checkKey(): array
    {
        return self::bodyOf($this->send('GET', '/'));
    }

    /**
     * Registers a click that arrives at your own page: ['id', 'leadReference', 'setCookie', 'isRepeated'].
     * Without a click id and a utm parameter in its url, leadReference is null and there is no setCookie. isRepeated: the click
     * was registered before. Send it to the visitor: header("Set-Cookie: {$lead['setCookie']}", false).
     */
    public function registerLead(array $lead, ?string $idempotencyKey = null): array
    {
        if (($lead['cookies'] ?? null) === []) {
            unset($lead['cookies']); // JSON has it as a list
        }
        $reply = $this->register('/lead', $lead, $idempotencyKey);
        $result = self::accepted($reply);
        return [...$result, 'isRepeated' => $reply['status'] === 200 && $result['leadReference'] !== null];
    }

    /**
     * Registers the person behind a lead reference: ['id', 'isRepeated'].
     * isRepeated: a client with this externalReference exists; what was missing of it is filled in.
     */
    public function registerClient(array $client, ?string $idempotencyKey = null): array
    {
        $reply = $this->register('/client', $client, $idempotencyKey);
        return [...self::accepted($reply), 'isRepeated' => $reply['status'] === 200];
    }

    /**
     * Registers any number of clients, in batches: ['results', 'counts', 'dryRun']. Look at 'outcome' of each result: an
     * item that is refused does not stop the others. If a batch fails, those before it are registered: call again with
     * the same items.
     */
    public function registerClients(iterable $clients, bool $dryRun = false): array
    {
        $counts = ['created' => 0, 'existing' => 0, 'refused' => 0];
        return $this->sendInBatches('/client/batch', $clients, $counts, $dryRun, hasKey: true);
    }

    /**
     * Registers a sale and reports it to your platforms: ['id', 'leadId', 'isRepeated'].
     * isRepeated: it was registered before, which is a success, too; then there is no leadId. If it was registered with
     * another amount, currency or client, this throws conversion-differs. Send your order number as
     * conversionExternalReference: only then is a later call for the same sale recognized.
     */
    public function registerConversion(array $conversion, ?string $idempotencyKey = null): array
    {
        $reply = $this->register('/client/conversion', $conversion, $idempotencyKey);
        if (self::codeOf($reply) !== 'conversion-repeated') {
            return [...self::accepted($reply), 'isRepeated' => false];
        }
        $error = self::errorOf($reply);
        $firstId = $reply['headers']['leadback-conversion-id'] ?? null;
        // if the event id belongs to another sale, this one was not registered
        $isOtherSale = !self::isBlank($conversion['conversionExternalReference'] ?? null)
            && ($reply['headers']['leadback-repeated-field'] ?? null) !== 'conversionExternalReference';
        if ($firstId === null || $isOtherSale) {
            throw $error;
        }
        return ['id' => (int) $firstId, 'warnings' => [], 'isRepeated' => true];
    }

    /** Registers any number of conversions, in batches, as registerClients does. */
    public function registerConversions(iterable $conversions, bool $dryRun = false): array
    {
        $counts = ['created' => 0, 'repeated' => 0, 'differs' => 0, 'refused' => 0];
        return $this->sendInBatches('/client/conversion/batch', $conversions, $counts, $dryRun, hasKey: false);
    }

    /**
     * Changes the amount of a conversion to a new total (restate), or takes the conversion back (retract):
     * ['id', 'conversionId', 'isRepeated'].
     * isRepeated: the same was registered before, or the conversion was taken back before, which is a success, too; then
     * there is no id. With the reference of another adjustment, this throws invalid-fields.
     */
    public function adjustConversion(array $adjustment, ?string $idempotencyKey = null): array
    {
        $reply = $this->register('/client/conversion/adjustment', $adjustment, $idempotencyKey);
        $code = self::codeOf($reply);
        $isTakenBack = $code === 'conversion-retracted' && ($adjustment['kind'] ?? null) === 'retract'
            && self::isBlank($adjustment['adjustmentExternalReference'] ?? null);
        if ($code !== 'adjustment-repeated' && !$isTakenBack) {
            return [...self::accepted($reply), 'isRepeated' => false];
        }
        $conversionId = $reply['headers']['leadback-conversion-id'] ?? null;
        $named = $conversionId === null ? [] : ['conversionId' => (int) $conversionId];
        return [...$named, 'warnings' => [], 'isRepeated' => true];
    }

    public function getClient(int $id): array
    {
        return self::bodyOf($this->send('GET', "/client/$id"));
    }

    /**
     * Erases the personal data of a person for good, within seconds: ['id']. Name the person by exactly one of
     * clientExternalReference, email and leadReference. Keep the id: getErasure has the receipt.
     */
    public function eraseClient(array $person, ?string $idempotencyKey = null): array
    {
        return self::bodyOf($this->register('/client/erasure', $person, $idempotencyKey));
    }

    /**
     * Lets the account register an erased person again ('suppressed'): ['erasureIds']. Name the person by exactly one of
     * erasureId, email and phoneNumber.
     */
    public function allowClient(array $person): array
    {
        return self::bodyOf($this->send('POST', '/client/allow', body: self::toJson($person)));
    }

    /** How far an erasure is, and its signed receipt once its state is 'done'. */
    public function getErasure(string $id): array
    {
        return self::bodyOf($this->send('GET', '/client/erasure/' . rawurlencode($id)));
    }

    /** A conversion, with its delivery to each platform. */
    public function getConversion(int $id): array
    {
        return self::bodyOf($this->send('GET', "/client/conversion/$id"));
    }

    /** As getConversion, by your own conversionExternalReference. */
    public function findConversion(string $reference): array
    {
        return self::bodyOf($this->send('GET', '/client/conversion', ['externalReference' => $reference]));
    }

    /** Yields conversions, newest first: listConversions(['state' => 'failed']). Requests further pages when needed. */
    public function listConversions(array $filter = []): Generator
    {
        $after = null;
        do {
            $page = self::bodyOf($this->send('GET', '/client/conversions', [...$filter, 'after' => $after]));
            foreach ($page['items'] as $conversion) {
                yield $conversion;
            }
            $after = $page['next'];
        } while ($after !== null);
    }

    /** Whether a text has the form of a lead reference, 22 letters and digits, or of the cookie `leadback`, which has more behind a dot. Only the API knows whether it exists. */
    public static function looksLikeLeadReference(mixed $text): bool
    {
        return is_string($text) && preg_match('/\A[0-9A-Za-z]{22}(\.[0-9]{1,12}(\.[0-9a-z]*)?)?\z/', $text) === 1;
    }

    /**
     * Returns the event of a webhook (['type', 'timestamp', 'data']) if one of its signatures is genuine and its time is
     * at most 5 minutes off. Otherwise throws a LeadbackError: respond with 400.
     *
     * @param string $rawBody The body as received, file_get_contents('php://input'), before it is parsed as JSON.
     * @param array $headers Such as getallheaders().
     */
    public static function verifyWebhook(string $rawBody, array $headers, #[SensitiveParameter] string $secret): array
    {
        $key = base64_decode(preg_replace('/\Awhsec_/', '', trim($secret)), true);
        if ($key === false || $key === '') {
            throw new InvalidArgumentException('secret: expected the secret of the webhook, whsec_…');
        }
        $sent = [];
        foreach ($headers as $name => $value) {
            $sent[strtolower((string) $name)] = is_array($value) ? implode(' ', $value) : (string) $value;
        }
        $id = $sent['webhook-id'] ?? '';
        $timestamp = $sent['webhook-timestamp'] ?? '';
        if ($id === '' || preg_match('/\A[0-9]{1,15}\z/', $timestamp) !== 1) {
            throw new LeadbackError(0, 'webhook-invalid', 'webhook-id or webhook-timestamp is missing');
        }
        $expected = hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true);
        $isGenuine = false;
        foreach (explode(' ', $sent['webhook-signature'] ?? '') as $signature) {
            $bytes = str_starts_with($signature, 'v1,') ? base64_decode(substr($signature, 3), true) : false;
            $isGenuine = ($bytes !== false && hash_equals($expected, $bytes)) || $isGenuine;
        }
        if (!$isGenuine) {
            throw new LeadbackError(0, 'webhook-invalid', 'webhook-signature: no signature is valid');
        }
        if (abs(time() - (int) $timestamp) > self::WEBHOOK_TOLERANCE) {
            throw new LeadbackError(0, 'webhook-expired', 'webhook-timestamp: more than 5 minutes off');
        }
        return json_decode($rawBody, true, flags: JSON_THROW_ON_ERROR);
    }

    private function register(string $path, array $body, ?string $idempotencyKey): array
    {
        return $this->send('POST', $path, [], self::toJson($body), $idempotencyKey ?? bin2hex(random_bytes(16)));
    }

    private function sendInBatches(string $path, iterable $items, array $counts, bool $dryRun, bool $hasKey): array
    {
        $results = [];
        foreach (self::batchBodies($items) as $start => $body) {
            $key = $hasKey ? bin2hex(random_bytes(16)) : null;
            $reply = self::bodyOf($this->send('POST', $path, $dryRun ? ['dryRun' => 'true'] : [], $body, $key));
            foreach ($reply['results'] as $result) {
                // indexes of the API count from the start of each request
                $results[] = [...$result, 'index' => $start + $result['index']];
            }
            foreach ($reply['counts'] as $outcome => $count) {
                $counts[$outcome] = ($counts[$outcome] ?? 0) + $count;
            }
        }
        return ['results' => $results, 'counts' => $counts, 'dryRun' => $dryRun];
    }

    /** The only place that retries: the same request with the same idempotency key, until a lasting reply. */
    private function send(
        string $method,
        string $path,
        array $query = [],
        ?string $body = null,
        ?string $idempotencyKey = null,
    ): array {
        // null is not sent
        $parameters = http_build_query($query, encoding_type: PHP_QUERY_RFC3986);
        $url = $this->baseUrl . $path . ($parameters === '' ? '' : "?$parameters");
        $headers = ["x-api-key: $this->apiKey", 'accept: application/json', 'expect:'];
        if ($body !== null) {
            $headers[] = 'content-type: application/json';
        }
        if ($idempotencyKey !== null) {
            $headers[] = 'idempotency-key: ' . preg_replace('/[^\x20-\x7e]/', '', $idempotencyKey);
        }
        for ($retries = 0; ; $retries++) {
            $reply = $this->attempt($method, $url, $headers, $body);
            $isFailed = $reply instanceof LeadbackError;
            $pause = $retries < $this->retriesMax && ($isFailed || self::isTemporary($reply))
                ? self::retryPause($retries, $isFailed ? null : $reply['headers']['retry-after'] ?? null)
                : null;
            if ($pause === null) {
                return $isFailed ? throw $reply : $reply;
            }
            usleep((int) ($pause * 1_000_000));
        }
    }

    /** A reply (['status', 'headers', 'body']), or the error that there was none. */
    private function attempt(string $method, string $url, array $headers, ?string $body): array|LeadbackError
    {
        $received = [];
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            // a redirect would send the key to another host
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => (int) ceil($this->timeout * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$received): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
        }
        $text = curl_exec($curl);
        if ($text !== false) {
            return ['status' => curl_getinfo($curl, CURLINFO_RESPONSE_CODE), 'headers' => $received, 'body' => $text];
        }
        if (curl_errno($curl) === CURLE_OPERATION_TIMEDOUT) {
            return new LeadbackError(0, 'timeout', "no response within $this->timeout s");
        }
        return new LeadbackError(0, 'no-response', 'no response: ' . str_replace($this->apiKey, '…', curl_error($curl)));
    }

    private static function parseApiKey(#[SensitiveParameter] string $apiKey): string
    {
        $key = trim($apiKey);
        if ($key === '') {
            throw new InvalidArgumentException('apiKey: must not be empty');
        }
        if (preg_match('/\A[\x21-\x7e]+\z/', $key) !== 1) {
            throw new InvalidArgumentException('apiKey: expected visible ASCII characters without spaces');
        }
        return $key;
    }

    private static function parseBaseUrl(string $baseUrl): string
    {
        $url = parse_url($baseUrl);
        if (!is_array($url) || !in_array($url['scheme'] ?? '', ['http', 'https'], true) || empty($url['host'])) {
            throw new InvalidArgumentException(
                'baseUrl: expected a URL with its scheme, such as https://api.example.com/api/v1',
            );
        }
        if (isset($url['user']) || isset($url['pass'])) {
            throw new InvalidArgumentException('baseUrl: must not contain a user or password');
        }
        $port = isset($url['port']) ? ":{$url['port']}" : '';
        return "{$url['scheme']}://{$url['host']}$port" . rtrim($url['path'] ?? '', '/');
    }

    private static function parseObject(string $body): ?array
    {
        $parsed = json_decode($body, true);
        return is_array($parsed) ? $parsed : null;
    }

    private static function codeOf(array $reply): ?string
    {
        return $reply['headers']['leadback-error'] ?? null;
    }

    private static function errorOf(array $reply): LeadbackError
    {
        $unexpected = "unexpected response with status {$reply['status']}; check baseUrl";
        return new LeadbackError(
            $reply['status'],
            self::codeOf($reply) ?? 'unexpected-response',
            (string) (self::parseObject($reply['body'])['message'] ?? $unexpected),
            $reply['headers']['x-request-id'] ?? null,
        );
    }

    private static function bodyOf(array $reply): array
    {
        $isSuccess = $reply['status'] >= 200 && $reply['status'] < 300;
        return ($isSuccess ? self::parseObject($reply['body']) : null) ?? throw self::errorOf($reply);
    }

    private static function isTemporary(array $reply): bool
    {
        return in_array($reply['status'], [408, 429], true)
            || $reply['status'] >= 500
            || self::codeOf($reply) === 'idempotency-in-progress';
    }

    private static function retryAfter(?string $header): float
    {
        if ($header === null) {
            return 0.0;
        }
        if (preg_match('/\A[0-9]+\z/', $header) === 1) {
            return (float) $header;
        }
        $time = strtotime($header);
        return $time === false ? 0.0 : max(0.0, $time - microtime(true));
    }

    /** Random between 0 and a limit that doubles, and later than Retry-After says. Null: too long to wait for. */
    private static function retryPause(int $retriesDone, ?string $header): ?float
    {
        $demanded = self::retryAfter($header);
        if ($demanded > self::RETRY_AFTER_MAX) {
            return null;
        }
        $spread = $demanded > 0 ? self::FIRST_PAUSE : min(self::PAUSE_MAX, self::FIRST_PAUSE * 2 ** $retriesDone);
        return $demanded + random_int(0, 1_000_000) / 1_000_000 * $spread;
    }

    private static function isBlank(mixed $reference): bool
    {
        return trim((string) $reference) === '';
    }

    /** The body of a successful reply, with the warnings of its header: rounded;field=amount, not-usable;field=email. */
    private static function accepted(array $reply): array
    {
        $body = self::bodyOf($reply);
        if (isset($body['warnings'])) {
            $body['advice'] = $body['warnings'];
        }
        preg_match_all('/([\w-]+);field=([\w.-]+)/', $reply['headers']['leadback-warning'] ?? '', $found, PREG_SET_ORDER);
        $body['warnings'] = array_map(fn (array $one) => ['code' => $one[1], 'field' => $one[2]], $found);
        return $body;
    }

    private static function toJson(mixed $value): string
    {
        // an empty array is an empty object of the API
        return json_encode($value === [] ? new stdClass() : $value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
    }

    /** Bodies that the API accepts, each by the position of its first item. */
    private static function batchBodies(iterable $items): Generator
    {
        [$start, $texts, $bytes, $index] = [0, [], 0, 0];
        foreach ($items as $item) {
            $text = self::toJson($item);
            if ($texts !== [] && (count($texts) === self::ITEMS_MAX || $bytes + strlen($text) + 1 > self::BYTES_MAX)) {
                yield $start => '{"items":[' . implode(',', $texts) . ']}';
                [$start, $texts, $bytes] = [$index, [], 0];
            }
            $bytes += strlen($text) + 1 + ($texts === [] ? strlen('{"items":[]}') : 0);
            $texts[] = $text;
            $index++;
        }
        if ($texts !== []) {
            yield $start => '{"items":[' . implode(',', $texts) . ']}';
        }
    }
}
