"""Servers as a person names them."""

import pytest

from matcha_p2p.transport.servers import NOBODY, Named, Server, socks_proxy, stun_server


@pytest.mark.parametrize(
    ("text", "server", "shown"),
    [
        ("stun.example.org", Server("stun.example.org", 3478), "stun.example.org:3478"),
        ("Stun.Example.org:19302", Server("stun.example.org", 19302), "stun.example.org:19302"),
        ("192.0.2.7", Server("192.0.2.7", 3478), "192.0.2.7:3478"),
        ("localhost:1", Server("localhost", 1), "localhost:1"),
        ("2600::7", Server("2600::7", 3478), "[2600::7]:3478"),
        ("[2600::7]:80", Server("2600::7", 80), "[2600::7]:80"),
    ],
)
def test_server_is_read_and_shown(text, server, shown):
    assert stun_server(text) == server
    assert str(server) == shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":80",
        "a:0",
        "a:65536",
        "a:b",
        "a b:80",
        "-a:80",
        "1.2.3:80",
        "256.1.1.1:80",
        "[::1:80",
        "[1.2.3.4]:80",
        "http://a:80",
        "a:80/",
        "é:80",
        "a" * 64 + ":80",
        "a\n:80",
    ],
)
def test_text_that_names_no_server_is_refused(text):
    with pytest.raises(ValueError, match="names no server"):
        stun_server(text)


def test_proxy_needs_a_port():
    assert socks_proxy("127.0.0.1:9050") == Server("127.0.0.1", 9050)
    for text in ("127.0.0.1", "localhost", "::1"):
        with pytest.raises(ValueError, match="names no server"):
            socks_proxy(text)


def test_default_settings_name_no_server():
    assert Named.of() == NOBODY == Named(None, None)
