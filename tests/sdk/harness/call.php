<?php

// Calls the file leadback.php in the folder of the first argument as the JSON on standard input says, and prints what it
// returns or throws.
declare(strict_types=1);

require "$argv[1]/leadback.php";

['options' => $options, 'call' => $call, 'arguments' => $arguments] = json_decode(stream_get_contents(STDIN), true);
if (isset($options['timeoutMs'])) {
    $options['timeout'] = $options['timeoutMs'] / 1000;
    unset($options['timeoutMs']);
}
// options of a call are named arguments
if (str_starts_with($call, 'register') && count($arguments) === 2) {
    $arguments = [$arguments[0], ...$arguments[1]];
}
try {
    $leadback = new Leadback(...$options);
    $result = $leadback->$call(...$arguments);
    $outcome = ['result' => $result instanceof Generator ? iterator_to_array($result, false) : $result];
} catch (LeadbackError $error) {
    $outcome = ['error' => [
        'status' => $error->status,
        'code' => $error->errorCode,
        'message' => $error->getMessage(),
        'requestId' => $error->requestId,
    ]];
} catch (Throwable $error) {
    $outcome = ['thrown' => $error->getMessage()];
}
echo json_encode($outcome);
